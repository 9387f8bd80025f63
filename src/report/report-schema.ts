import type { JsonSchema } from "../lib/shape/shape.ts";

/** Rises when a key changes its meaning or goes; keys may be added to it at any time. */
export const REPORT_VERSION = 1;

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const flag = { type: "boolean" } as const;
const numberOrNull = { type: ["number", "null"] } as const;
const textOrNull = { type: ["string", "null"] } as const;
const share = { type: ["number", "null"], minimum: 0, maximum: 1 } as const;
const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });
const mapOf = (values: JsonSchema): JsonSchema => ({ type: "object", additionalProperties: values });

/** An object that has all of these; others may be added to it. */
function all(properties: Readonly<Record<string, JsonSchema>>, description?: string): JsonSchema {
  const said = description === undefined ? {} : { description };
  return { type: "object", ...said, properties, required: Object.keys(properties) };
}

const usage = all({
  inputTokens: numberOrNull,
  outputTokens: numberOrNull,
  cacheReadTokens: numberOrNull,
  cacheWriteTokens: numberOrNull,
  reasoningTokens: numberOrNull,
  costUsd: numberOrNull,
});

const rate = all(
  { passed: count, total: count, rate: share, low: share, high: share },
  "A share with its 95 % interval; null where nothing was counted.",
);

const bound = all({ name: text, bound: { type: "number" }, value: numberOrNull, met: flag });

const trial = all({
  trialId: text,
  outcome: all({ status: text }),
  passed: count,
  failed: count,
  unscored: count,
  meanScore: numberOrNull,
  meetsGate: { type: ["boolean", "null"] },
  bounds: listOf(bound),
  durationMs: numberOrNull,
});

const caseSummary = all({
  caseId: text,
  name: textOrNull,
  kind: { enum: ["task", "trigger"] },
  variant: text,
  trials: listOf(trial),
  checks: rate,
  stability: share,
});

const variant = all({
  variant: text,
  over: { enum: ["task", "trigger"] },
  trials: count,
  cases: count,
  checks: rate,
  layers: mapOf(rate),
  counted: count,
  failing: count,
  brokeOff: mapOf(count),
  leftOut: mapOf(count),
  notRun: count,
  unscoredChecks: count,
  loaded: numberOrNull,
});

const name = all({ suite: text, harness: text, model: textOrNull });

const iteration = all({
  suite: text,
  iteration: { type: "integer", minimum: 1 },
  harness: text,
  model: textOrNull,
  verdict: {
    enum: ["passed", "failed", "unfinished", "ungraded"],
    description: "unfinished: something that should have been counted could not be.",
  },
  gates: listOf(all({ name: text, caseId: textOrNull, met: flag, detail: text })),
  trials: count,
  variants: listOf(variant),
  cases: listOf(caseSummary),
  triggers: { type: ["object", "null"] },
  benchmark: { type: ["object", "null"] },
  missing: all({ notRun: count, leftOut: mapOf(count), unscoredChecks: count, ungradedCases: count }),
  usage,
  judgeUsage: usage,
  spending: all({
    made: all({ attempts: count, usage }),
    replaced: all({ attempts: count, usage }),
    reused: all({ runs: count, usage, durationMs: numberOrNull }),
  }),
  durationMs: numberOrNull,
  remarks: listOf(all({ kind: text, trialIds: listOf(text), check: textOrNull, text })),
  alarms: listOf(text),
  folder: { ...text, description: "Absolute path of the iteration folder." },
});

/** What `--reporter json` and `--json` print. Keys are in camel case; `leftOut` and such are keyed by reasons. */
export const REPORT_SCHEMA: JsonSchema = all({
  schema: { const: REPORT_VERSION },
  iterations: listOf(iteration),
  failures: {
    ...listOf({ ...name, properties: { suite: text, harness: text, model: textOrNull, message: text } }),
    description: "Iterations that an error kept from finishing.",
  },
  notBegun: { ...listOf(name), description: "Iterations that had not started when the call was stopped." },
});
