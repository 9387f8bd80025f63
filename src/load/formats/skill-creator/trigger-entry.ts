import type { JsonObject } from "../../../domain/json.ts";
import { type DocEntry, type DocNode, toPlain, valueOf } from "../../../lib/document/node.ts";
import { missingKey } from "../../../lib/shape/object.ts";
import {
  below,
  INVALID,
  type Invalid,
  invalid,
  pathText,
  type ReadContext,
} from "../../../lib/shape/shape.ts";
import { bool, list, nullable, text } from "../../../lib/shape/values.ts";
import { type AssayKey, assayKeyShape, type Routing } from "../../assay-key.ts";
import { type DeclaredId, declaredId } from "./ids.ts";
import { find, leftOver, pick, type Spelled, toExtras } from "./keys.ts";
import { withSpelling } from "./spelling.ts";

/** Where a query's text may stand, best first. */
export const TEXT_NAMES = [
  "query",
  "prompt",
  "input",
  "text",
  "utterance",
  "question",
  "message",
  "q",
  "trigger",
];

/** Where its label may stand, best first. */
const LABEL_NAMES = [
  "should_trigger",
  "shouldTrigger",
  "expected_trigger",
  "expectedTrigger",
  "expect_trigger",
  "should_invoke",
  "should_fire",
  "should_activate",
];
/** Labels only where they are true or false; elsewhere these keys hold other things. */
const WEAK_LABEL_NAMES = ["expected", "expect", "triggers", "label", "polarity"];

/** Where the skill that must answer may be named. */
const ROUTE_NAMES = ["expected_skill", "route_to", "skill"];

const ID: Spelled<DeclaredId> = { names: ["id"], shape: declaredId() };
const NAME: Spelled<string> = { names: ["name"], shape: text({ blank: "allowed" }) };
const ROUTE = nullable(text());
const FORBIDDEN: Spelled<readonly string[]> = { names: ["forbid", "forbidden"], shape: list(text()) };
export const LABEL = bool();

export const TRIGGER_KEYS = ["id", "name", "query", "should_trigger", "assay"];

export function hasLabel(node: DocNode): boolean {
  return find(node, LABEL_NAMES) !== null || weakLabel(node) !== null;
}

/** Says in words what must be true or false. */
export function hasTextLabel(node: DocNode): boolean {
  return WEAK_LABEL_NAMES.some((name) => {
    const value = valueOf(node, name);
    return value?.kind === "string" && /^[\w-]+$/.test(value.value) && TEXT_LABEL.test(value.value);
  });
}

const TEXT_LABEL =
  /^(?:(?:do|should|must)?[ _-]*(?:not?|never)?[ _-]*(?:trigger|fire|activate|invoke|route|match)\w*|yes|no|not|true|false|positive|negative|start|skip|none)/i;

/** Names the skill that must answer, or none. Beside a prompt, `skill` says what the prompt is about. */
export function hasRoute(node: DocNode): boolean {
  const names = valueOf(node, "prompt") === undefined ? ROUTE_NAMES : ROUTE_NAMES.slice(0, 2);
  return names.some((name) => {
    const value = valueOf(node, name);
    return value?.kind === "string" || value?.kind === "null";
  });
}

export interface TriggerEntry {
  readonly offset: number;
  readonly declaredId: DeclaredId | null;
  readonly name: string | null;
  readonly query: string;
  readonly expected: boolean;
  readonly routing: Routing;
  readonly assay: AssayKey | null;
  readonly extras: JsonObject;
  readonly unknown: readonly DocEntry[];
}

export interface TriggerRules {
  /** The list's key and label, where its name is the label. */
  readonly group: { readonly key: string; readonly label: boolean } | null;
  /** The skill under test; decides what a query labelled with a skill's name expects. */
  readonly skillName: string | null;
}

export function readTrigger(
  node: DocNode,
  rules: TriggerRules,
  context: ReadContext,
): TriggerEntry | Invalid {
  if (node.kind === "string" && rules.group !== null) return readPlain(node, rules, context);
  if (node.kind !== "object") {
    const wanted = rules.group === null ? "an object" : "a query: a text or an object";
    return invalid(context, node, {
      code: "wrong-type",
      message: `${pathText(context.path)} must be ${wanted}`,
      hint: 'for example {"query": "...", "should_trigger": true}',
    });
  }
  const id = pick(node, ID, context);
  const name = pick(node, NAME, context);
  const query = readQuery(node, context);
  const route = readRoute(node, context);
  const forbidden = pick(node, FORBIDDEN, context);
  const assay = pick(node, { names: ["assay"], shape: assayKeyShape("trigger") }, context);
  const label = readLabel(node, { ...rules, route }, context);
  if (
    id === INVALID ||
    name === INVALID ||
    query === INVALID ||
    route === INVALID ||
    forbidden === INVALID ||
    assay === INVALID ||
    label === INVALID
  ) {
    return INVALID;
  }
  const read = [id, name, query, route, forbidden, assay, label].flatMap((picked) => picked?.entry ?? []);
  const unknown = leftOver(node, new Set(read), TRIGGER_KEYS);
  return {
    offset: node.start,
    declaredId: id?.value ?? null,
    name: name?.value ?? null,
    query: query.value,
    expected: label.value,
    routing: { skill: route?.value ?? null, forbidden: forbidden?.value ?? [] },
    assay: assay?.value ?? null,
    extras: withSpelling(toExtras(unknown), {
      ...(query.entry.key === "query" ? {} : { query: query.entry.key }),
      ...spellLabel(label.entry?.key ?? null),
      ...(rules.group === null ? {} : { group: rules.group.key }),
      ...(route === null ? {} : { skill: route.entry.key, route: toPlain(route.entry.value) }),
      ...(forbidden === null ? {} : { forbidden: forbidden.entry.key, forbid: forbidden.value }),
    }),
    unknown,
  };
}

function readPlain(node: DocNode, rules: TriggerRules, context: ReadContext): TriggerEntry | Invalid {
  const query = text().read(node, context);
  if (query === INVALID || rules.group === null) return INVALID;
  return {
    offset: node.start,
    declaredId: null,
    name: null,
    query,
    expected: rules.group.label,
    routing: { skill: null, forbidden: [] },
    assay: null,
    extras: withSpelling({}, { group: rules.group.key, plain: true }),
    unknown: [],
  };
}

function readQuery(node: DocNode, context: ReadContext): { value: string; entry: DocEntry } | Invalid {
  const entry = TEXT_NAMES.map((name) => find(node, [name])).find((found) => found?.value.kind === "string");
  if (entry === undefined || entry === null || entry.value.kind !== "string") {
    return invalid(context, node, {
      code: "missing-key",
      message: `${pathText(context.path)} has no "query" text`,
    });
  }
  if (entry.value.value.trim() !== "") return { value: entry.value.value, entry };
  const attached = find(node, ["attachments", "files"]);
  return invalid(context, entry.value, {
    code: "blank",
    message: `${pathText(below(context, entry.key).path)} must not be blank`,
    ...(attached === null ? {} : { hint: "a query that is only an attachment cannot be sent" }),
  });
}

function readRoute(
  node: DocNode,
  context: ReadContext,
): { value: string | null; entry: DocEntry } | null | Invalid {
  const entry =
    node.kind === "object"
      ? node.entries.find((candidate) => ROUTE_NAMES.includes(candidate.key))
      : undefined;
  if (entry === undefined) return null;
  const value = ROUTE.read(entry.value, below(context, entry.key));
  return value === INVALID ? INVALID : { value, entry };
}

type Label = { readonly value: boolean; readonly entry: DocEntry | null };

function readLabel(
  node: DocNode,
  rules: TriggerRules & { route: { value: string | null } | null | Invalid },
  context: ReadContext,
): Label | Invalid {
  const entry = find(node, LABEL_NAMES) ?? weakLabel(node) ?? textLabel(node);
  if (entry !== null) return readDeclaredLabel(entry, rules, context);
  if (rules.group !== null) return { value: rules.group.label, entry: null };
  if (rules.route !== null && rules.route !== INVALID) {
    if (rules.skillName !== null) return { value: rules.route.value === rules.skillName, entry: null };
    return invalid(context, node, {
      code: "unknown-skill",
      message: `${pathText(context.path)} names the skill that should answer, but the skill under test is unknown`,
      hint: "point at the skill, or give the query a should_trigger",
    });
  }
  const extras = leftOver(node, new Set(), TRIGGER_KEYS)
    .map((one) => one.key)
    .filter((key) => !TRIGGER_KEYS.includes(key));
  return missingKey(node, { key: "should_trigger", extras }, context);
}

function readDeclaredLabel(entry: DocEntry, rules: TriggerRules, context: ReadContext): Label | Invalid {
  const place = below(context, entry.key);
  if (entry.value.kind === "string") {
    return invalid(place, entry.value, {
      code: "label-not-bool",
      message: `${pathText(place.path)} must be true or false, not the string ${JSON.stringify(entry.value.value)}`,
      hint: 'write "should_trigger": true or false, without quotes around the value',
    });
  }
  const value = LABEL.read(entry.value, place);
  if (value === INVALID) return INVALID;
  const overrides = rules.group?.key.startsWith("near") ?? false;
  if (rules.group !== null && rules.group.label !== value && !overrides) {
    return invalid(place, entry.value, {
      code: "two-labels",
      message: `${pathText(place.path)} is ${value}, but the query is in ${JSON.stringify(rules.group.key)}`,
    });
  }
  return { value, entry };
}

function weakLabel(node: DocNode): DocEntry | null {
  const found = WEAK_LABEL_NAMES.map((name) => find(node, [name]));
  return found.find((entry) => entry?.value.kind === "bool") ?? null;
}

function textLabel(node: DocNode): DocEntry | null {
  return hasTextLabel(node) ? find(node, WEAK_LABEL_NAMES) : null;
}

/** Null where the label is the group's, or follows from the route. */
function spellLabel(key: string | null): JsonObject {
  return key === "should_trigger" ? {} : { should_trigger: key };
}
