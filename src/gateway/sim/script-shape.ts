import { object, optional } from "../../lib/shape/object.ts";
import { type Invalid, invalid, pathText, type ReadContext, type Shape } from "../../lib/shape/shape.ts";
import { bool, int, list, oneOf, refine, text } from "../../lib/shape/values.ts";
import type { DocNode } from "../../lib/document/node.ts";
import { WIRE_NAMES } from "../../wires/index.ts";
import { faultShape } from "./fault-shape.ts";
import { replyShape } from "./reply-shape.ts";
import { NO_FAULT, type ScriptRule, type SimScript, type TextTest, type When } from "./script.ts";

/** A list of rules, or an object with `rules` and the `replies` that follow when no rule matches. */
export const scriptShape: Shape<SimScript> = {
  get schema() {
    return { anyOf: [{ type: "array", items: ruleFields.schema }, scriptFields.schema] };
  },
  read(node, context) {
    return node.kind === "array" ? bareRules.read(node, context) : script.read(node, context);
  },
};

const STRICT = { unknownKeys: "error" } as const;

const regex: Shape<RegExp> = refine(text(), (pattern, context, node) => {
  try {
    return new RegExp(pattern, "m");
  } catch (error) {
    const message = `${pathText(context.path)}: ${(error as Error).message}`;
    return invalid(context, node, { code: "bad-regex", message });
  }
});

const testFields = object(
  { contains: optional(text()), not: optional(text()), equals: optional(text()), regex: optional(regex) },
  STRICT,
);

/** A plain string means "contains". */
const textTest: Shape<TextTest> = {
  schema: { anyOf: [{ type: "string" }, testFields.schema] },
  read(node, context) {
    if (node.kind === "string") return { contains: node.value, not: null, equals: null, regex: null };
    return testFields.read(node, context);
  },
};

const when: Shape<When> = object(
  {
    turn: optional(int({ min: 1 })),
    step: optional(int({ min: 1 })),
    userText: optional(textTest),
    system: optional(textTest),
    anywhere: optional(textTest),
    model: optional(textTest),
    path: optional(textTest),
    wire: optional(oneOf(WIRE_NAMES)),
    afterTool: optional(text()),
    toolResult: optional(textTest),
    toolFailed: optional(bool()),
    offersTool: optional(text()),
    skillListed: optional(text()),
    skillMissing: optional(text()),
    structured: optional(bool()),
    subagent: optional(bool()),
  },
  { ...STRICT, hints: { prompt: "userText", user: "userText", tool: "afterTool", skill: "skillListed" } },
);

const ruleFields = object(
  {
    name: optional(text()),
    side: optional(bool(), false),
    when: optional(when),
    reply: optional(replyShape),
    steps: optional(list(replyShape, { minLength: 1 })),
    fault: optional(faultShape),
    times: optional(int({ min: 1 })),
    per: optional(oneOf(["server", "conversation"]), "server" as const),
  },
  { ...STRICT, hints: { replies: "steps", if: "when", match: "when", count: "times" } },
);

/** A rule without its place in the list. */
type Unnamed = Omit<ScriptRule, "name"> & { readonly name: string | null };

const rule: Shape<Unnamed> = refine(ruleFields, (read, context, node) => {
  const { name, side, times, per } = read;
  if (read.reply === null && read.steps === null && read.fault === null) {
    return problem(node, context, "is empty: it needs a reply, steps or a fault");
  }
  if (read.reply !== null && read.steps !== null) return problem(node, context, "has both reply and steps");
  const fault = read.fault ?? NO_FAULT;
  return { name, side, when: read.when, play: toPlay(read), fault, times, per };
});

const bareRules: Shape<SimScript> = refine(list(rule, { minLength: 1 }), (rules) => ({
  rules: rules.map(named),
  replies: [],
}));

const scriptFields = object(
  { rules: optional(list(rule), []), replies: optional(list(replyShape), []) },
  STRICT,
);

const script: Shape<SimScript> = refine(scriptFields, ({ rules, replies }, context, node) =>
  rules.length + replies.length === 0
    ? problem(node, context, "has neither rules nor replies")
    : { rules: rules.map(named), replies },
);

function toPlay(read: Exclude<ReturnType<typeof ruleFields.read>, Invalid>): ScriptRule["play"] {
  if (read.reply !== null) return { kind: "reply", reply: read.reply };
  if (read.steps !== null) return { kind: "steps", steps: read.steps };
  return { kind: "fault-only" };
}

function named(rule: Unnamed, index: number): ScriptRule {
  return { ...rule, name: rule.name ?? `rule ${index + 1}` };
}

function problem(node: DocNode, context: ReadContext, message: string): Invalid {
  return invalid(context, node, { code: "bad-rule", message: `${pathText(context.path)} ${message}` });
}
