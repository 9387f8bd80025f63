import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import type { Verdict } from "../../domain/verdict.ts";
import type { ExportedIteration, ExportedRun, Exporter } from "../exporter.ts";

/** OpenTelemetry's GenAI conventions: a trace per run, a span per tool call, an event per verdict. */
export const otlp: Exporter = {
  name: "otlp",
  summary: "OpenTelemetry GenAI spans as OTLP/JSON, to a file or an endpoint",
  out: "file",
  mayPost: true,
  files: (exported) => [{ path: "", content: requestOf(exported) }],
};

function requestOf(exported: ExportedIteration): JsonObject {
  const { iteration, runs } = exported;
  return {
    resourceSpans: [
      {
        resource: {
          attributes: attributes({
            "service.name": "assay",
            "service.version": iteration.versions.assay,
            "assay.suite": iteration.suite,
            "assay.iteration": iteration.number,
            "assay.skill.sha256": iteration.skill?.sha256 ?? null,
          }),
        },
        scopeSpans: [
          {
            scope: { name: "assay", version: iteration.versions.assay },
            spans: runs.flatMap((one) => spansOf(one, exported)),
          },
        ],
      },
    ],
  };
}

function spansOf(one: ExportedRun, { iteration, content }: ExportedIteration): readonly JsonObject[] {
  const { run, trial, grading, transcript } = one;
  const name = [iteration.suite, iteration.createdAt, iteration.number, trial.id].join("\0");
  const traceId = digest(name, 32);
  const root = digest(`${name}\0run`, 16);
  const start = Date.parse(run.agentTime?.startedAt ?? run.startedAt);
  const end = run.agentTime === null ? start + (run.durationMs ?? 0) : Date.parse(run.agentTime.endedAt);
  const { usage, outcome } = run;
  const hasFailed = outcome.status !== "completed";
  const events = (grading?.verdicts ?? []).map((verdict) => evaluationEvent(verdict, end));
  const agent: JsonObject = {
    traceId,
    spanId: root,
    name: `invoke_agent ${run.client.name}`,
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributes({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": providerOf(run.model ?? iteration.model, iteration.harness),
      "gen_ai.agent.name": run.client.name,
      "gen_ai.agent.version": run.client.version,
      "gen_ai.request.model": iteration.model,
      "gen_ai.response.model": run.model,
      "gen_ai.conversation.id": run.sessionId,
      "gen_ai.usage.input_tokens": usage.inputTokens,
      "gen_ai.usage.output_tokens": usage.outputTokens,
      "gen_ai.usage.cache_read.input_tokens": usage.cacheReadTokens,
      "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteTokens,
      "error.type": hasFailed ? outcome.status : null,
      "assay.trial": trial.id,
      "assay.case": trial.caseId,
      "assay.variant": trial.variant,
      "assay.cost_usd": usage.costUsd,
      ...(content && { "gen_ai.input.messages": JSON.stringify(run.sent?.messages ?? []) }),
    }),
    events,
    status: hasFailed ? { code: ERROR, message: outcome.status } : { code: UNSET },
  };
  const calls = transcript.filter(isCall);
  return [agent, ...calls.map((call, at) => toolSpan(call, { one, traceId, root, start, at, content }))];
}

type ToolCall = Extract<TranscriptEvent, { kind: "tool-call" }>;

function isCall(event: TranscriptEvent): event is ToolCall {
  return event.kind === "tool-call";
}

/** Transcripts keep the order of calls and not their times, so a span has none of its own: it sits at its place. */
function toolSpan(
  call: ToolCall,
  around: {
    readonly one: ExportedRun;
    readonly traceId: string;
    readonly root: string;
    readonly start: number;
    readonly at: number;
    readonly content: boolean;
  },
): JsonObject {
  const { one, traceId, root, start, at, content } = around;
  const result = one.transcript.find((event) => event.kind === "tool-result" && event.callId === call.callId);
  const answer = result?.kind === "tool-result" ? result : null;
  const time = nanoseconds(start, at + 1);
  return {
    traceId,
    spanId: digest(`${traceId}\0${root}\0${call.index}`, 16),
    parentSpanId: root,
    name: `execute_tool ${call.tool}`,
    kind: INTERNAL,
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes: attributes({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.tool,
      "gen_ai.tool.call.id": call.callId,
      "gen_ai.tool.type": "function",
      "assay.transcript.index": call.index,
      "error.type": answer?.isError === true ? "tool_error" : null,
      ...(content && {
        "gen_ai.tool.call.arguments": JSON.stringify(call.input),
        "gen_ai.tool.call.result": answer?.output ?? null,
      }),
    }),
    status: answer?.isError === true ? { code: ERROR } : { code: UNSET },
  };
}

function evaluationEvent({ text, status, score, reason, layer }: Verdict, at: number): JsonObject {
  return {
    name: "gen_ai.evaluation.result",
    timeUnixNano: nanoseconds(at),
    attributes: attributes({
      "gen_ai.evaluation.name": text,
      "gen_ai.evaluation.score.label": status,
      "gen_ai.evaluation.score.value": score ?? (status === "unscored" ? null : status === "passed" ? 1 : 0),
      "gen_ai.evaluation.explanation": reason,
      "assay.layer": layer,
    }),
  };
}

const INTERNAL = 1;
const UNSET = 0;
const ERROR = 2;

/** Of the conventions' well-known names, where the model's own name tells. */
function providerOf(model: string | null, harness: string): string {
  const name = (model ?? harness).toLowerCase();
  if (/claude/.test(name)) return "anthropic";
  if (/^(?:gpt|o\d|codex)/.test(name)) return "openai";
  return /gemini/.test(name) ? "gcp.gemini" : harness;
}

/** What is unknown is left out. Whole numbers are texts in OTLP/JSON, because 64 bits do not fit a number. */
function attributes(values: Readonly<Record<string, string | number | null>>): Json {
  return Object.entries(values).flatMap(([key, value]): Json[] => {
    if (value === null) return [];
    if (typeof value === "string") return [{ key, value: { stringValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}

function nanoseconds(milliseconds: number, more = 0): string {
  return String(BigInt(Math.round(milliseconds)) * 1_000_000n + BigInt(more));
}

function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
