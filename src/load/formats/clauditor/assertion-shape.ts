import type { TextClaim } from "../../../domain/check.ts";
import type { JsonObject } from "../../../domain/json.ts";
import { type DocEntry, toPlain } from "../../../lib/document/node.ts";
import {
  type Fields,
  object,
  type ObjectOutput,
  optional,
  optionalOrNull,
  required,
} from "../../../lib/shape/object.ts";
import { INVALID, pathText, type Shape } from "../../../lib/shape/shape.ts";
import { tagged } from "../../../lib/shape/tagged.ts";
import { int, oneOf, refine, text } from "../../../lib/shape/values.ts";
import { formatOrPattern, least, needle, pattern } from "./pattern-shape.ts";

export interface Assertion {
  readonly id: string;
  readonly name: string | null;
  readonly claim: AssertionClaim;
  /** The whole entry where it says more than the claim. */
  readonly origin: JsonObject | null;
}

/** What the ten types can say. */
type AssertionClaim = Extract<TextClaim, { kind: AssertionType }>;

type AssertionType = (typeof ASSERTION_TYPES)[number];

export const ASSERTION_TYPES = [
  "contains",
  "not_contains",
  "regex",
  "min_count",
  "min_length",
  "max_length",
  "has_urls",
  "has_entries",
  "urls_reachable",
  "has_format",
] as const;

const COUNT_DRIFT = {
  value: "count",
  minimum: "count",
  min_count: "count",
  threshold: "count",
  min: "count",
};
const NEEDLE_DRIFT = { value: "needle", pattern: "needle", text: "needle", substring: "needle" };

/** One entry of `assertions`; the only place where an unknown key is an error. */
export function assertionShape(): Shape<Assertion> {
  return tagged<Assertion>("type", SHAPES);
}

const SHAPES: Readonly<Record<AssertionType, Shape<Assertion>>> = {
  contains: needleShape("contains"),
  not_contains: needleShape("not_contains"),
  regex: shapeOf("regex", {
    fields: { pattern: required(pattern()) },
    drift: { value: "pattern", regex: "pattern" },
    claim: (values) => ({ kind: "regex", pattern: values.pattern }),
  }),
  min_count: shapeOf("min_count", {
    fields: { pattern: required(pattern({ multiline: true })), count: required(least()) },
    drift: { ...COUNT_DRIFT, value: "pattern", regex: "pattern" },
    claim: (values) => ({ kind: "min_count", pattern: values.pattern, count: values.count }),
  }),
  min_length: lengthShape("min_length", "min"),
  max_length: lengthShape("max_length", "max"),
  has_urls: countShape("has_urls"),
  has_entries: countShape("has_entries"),
  urls_reachable: countShape("urls_reachable"),
  has_format: shapeOf("has_format", {
    fields: { format: required(formatOrPattern()), count: optional(least(), 1) },
    drift: COUNT_DRIFT,
    claim: (values) => ({ kind: "has_format", format: values.format, count: values.count }),
  }),
};

function needleShape(kind: "contains" | "not_contains"): Shape<Assertion> {
  return shapeOf(kind, {
    fields: { needle: required(needle()) },
    drift: NEEDLE_DRIFT,
    claim: (values) => ({ kind, needle: values.needle, ignoreCase: false }),
  });
}

function lengthShape(kind: "min_length" | "max_length", bound: string): Shape<Assertion> {
  return shapeOf(kind, {
    fields: { length: required(kind === "min_length" ? least() : int({ min: 0 })) },
    drift: { value: "length", [bound]: "length", count: "length", [kind]: "length" },
    claim: (values) => ({ kind, length: values.length }),
  });
}

function countShape(kind: "has_urls" | "has_entries" | "urls_reachable"): Shape<Assertion> {
  return shapeOf(kind, {
    fields: { count: optional(least(), 1) },
    drift: COUNT_DRIFT,
    claim: (values) => ({ kind, count: values.count }),
  });
}

interface Definition<F extends Fields> {
  readonly fields: F;
  /** Keys that used to be right, or are often written, for the right one. */
  readonly drift: Readonly<Record<string, string>>;
  readonly claim: (values: ObjectOutput<F>) => AssertionClaim;
}

function shapeOf<F extends Fields>(
  type: AssertionType,
  { fields, drift, claim }: Definition<F>,
): Shape<Assertion> {
  const head = {
    id: required(text()),
    type: required(oneOf([type])),
    name: optionalOrNull(text({ blank: "allowed" })),
  };
  const shape = object({ ...head, ...fields }, { unknownKeys: "error", hints: drift });
  const assertion = refine(shape, (read, _context, node): Assertion => {
    const values = read as unknown as ObjectOutput<F> & ObjectOutput<typeof head>;
    const saysMore = values.name !== null || Object.keys(values.extras).length > 0;
    return {
      id: values.id,
      name: values.name,
      claim: claim(values),
      origin: saysMore ? (toPlain(node) as JsonObject) : null,
    };
  });
  return reportingDrift(assertion, drift);
}

/** A drifted key is reported once, and its value is then read as the right key's, so that its own problems show too. */
function reportingDrift<T>(shape: Shape<T>, drift: Readonly<Record<string, string>>): Shape<T> {
  return {
    schema: shape.schema,
    read(node, context) {
      if (node.kind !== "object") return shape.read(node, context);
      const present = new Set(node.entries.map((entry) => entry.key));
      let drifted = false;
      const entries = node.entries.map((entry): DocEntry => {
        const right = Object.hasOwn(drift, entry.key) ? drift[entry.key] : undefined;
        if (right === undefined || present.has(right)) return entry;
        present.add(right);
        drifted = true;
        context.report({
          severity: "error",
          offset: entry.keySpan.start,
          code: "unknown-key",
          message: `${pathText(context.path)} has the unknown key ${JSON.stringify(entry.key)}`,
          hint: `did you mean ${JSON.stringify(right)}?`,
        });
        return { ...entry, key: right };
      });
      const value = shape.read(drifted ? { ...node, entries } : node, context);
      return drifted ? INVALID : value;
    },
  };
}
