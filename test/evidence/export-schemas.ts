/** Written from the published descriptions of each format; what those leave open is open here. */

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };
const amount = { type: "number", minimum: 0 };
const share = { type: "number", minimum: 0, maximum: 1 };
const list = (items: object) => ({ type: "array", items });

function object(required: Record<string, object>, optional: Record<string, object> = {}, isOpen = false) {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    ...(!isOpen && { additionalProperties: false }),
  };
}

/** RFC 0001 of Harbor, version 1.4: every object is closed but `extra` and `arguments`. */
export const ATIF = object(
  {
    schema_version: { enum: ["ATIF-v1.4"] },
    session_id: text,
    agent: object({ name: text, version: text }, { model_name: text, extra: { type: "object" } }),
    steps: {
      type: "array",
      minItems: 1,
      items: object(
        {
          step_id: { type: "integer", minimum: 1 },
          source: { enum: ["system", "user", "agent"] },
          message: text,
        },
        {
          timestamp: text,
          model_name: text,
          reasoning_content: text,
          tool_calls: list(
            object({ tool_call_id: text, function_name: text, arguments: { type: "object" } }),
          ),
          observation: object({ results: list(object({}, { source_call_id: text, content: text })) }),
          metrics: object(
            {},
            { prompt_tokens: count, completion_tokens: count, cached_tokens: count, cost_usd: amount },
          ),
          extra: { type: "object" },
        },
      ),
    },
  },
  {
    notes: text,
    final_metrics: object(
      {},
      {
        total_prompt_tokens: count,
        total_completion_tokens: count,
        total_cached_tokens: count,
        total_cost_usd: amount,
        total_steps: count,
      },
    ),
    extra: { type: "object" },
  },
);

const pluginRun = object(
  {
    score: share,
    passed: { type: "boolean" },
    turns: count,
    error: { type: ["string", "null"] },
    skippedPaidGraders: { type: "boolean" },
    graders: list(
      object({
        name: text,
        passed: { type: "boolean" },
        weight: amount,
        explanation: text,
        withOnly: { type: "boolean" },
        scored: { type: "boolean" },
      }),
    ),
  },
  {},
  true,
);

/** What readers of aggregate-result.json go by; it may have more. */
export const PLUGIN_EVAL = object(
  {
    schemaVersion: { enum: [1] },
    claudeVersion: text,
    startedAt: text,
    partial: { type: "boolean" },
    suite: object({ ablation: { enum: ["none", "with-without"] }, threshold: share }, {}, true),
    aggregates: object(
      { overallScore: share, casesPassed: count, casesTotal: count },
      { meanDelta: { type: "number" } },
    ),
    cases: list(
      object({
        name: text,
        dir: text,
        arms: object({ with: list(pluginRun) }, { without: list(pluginRun) }),
        aggregates: object(
          { score: share, passRate: share },
          { scoreWithout: share, passRateWithout: share, delta: { type: "number", minimum: -1, maximum: 1 } },
        ),
      }),
    ),
  },
  { partialReason: { enum: ["cost_ceiling", "interrupted", "auth_failed"] } },
  true,
);

const attribute = object({
  key: text,
  value: object(
    {},
    { stringValue: text, intValue: { type: "string", pattern: "^-?\\d+$" }, doubleValue: { type: "number" } },
  ),
});
const nanoseconds = { type: "string", pattern: "^\\d{16,20}$" };
const spanId = { type: "string", pattern: "^[0-9a-f]{16}$" };

/** opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest in its JSON form. */
export const OTLP = object({
  resourceSpans: list(
    object({
      resource: object({ attributes: list(attribute) }),
      scopeSpans: list(
        object({
          scope: object({ name: text, version: text }),
          spans: list(
            object(
              {
                traceId: { type: "string", pattern: "^[0-9a-f]{32}$" },
                spanId,
                name: text,
                kind: { enum: [1, 2, 3, 4, 5] },
                startTimeUnixNano: nanoseconds,
                endTimeUnixNano: nanoseconds,
                attributes: list(attribute),
                status: object({ code: { enum: [0, 1, 2] } }, { message: text }),
              },
              {
                parentSpanId: spanId,
                events: list(object({ name: text, timeUnixNano: nanoseconds, attributes: list(attribute) })),
              },
            ),
          ),
        }),
      ),
    }),
  ),
});
