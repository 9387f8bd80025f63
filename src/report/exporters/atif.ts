import type { Json, JsonObject } from "../../domain/json.ts";
import type { Usage } from "../../domain/run.ts";
import type { TranscriptEvent } from "../../domain/transcript.ts";
import { decidedChecks } from "../../domain/verdict.ts";
import type { ExportedIteration, ExportedRun, Exporter } from "../exporter.ts";

/** Harbor's Agent Trajectory Interchange Format: one trajectory per run. */
export const atif: Exporter = {
  name: "atif",
  summary: "Harbor's Agent Trajectory Interchange Format (ATIF-v1.4), one file per run",
  out: "folder",
  mayPost: false,
  files: (exported) =>
    exported.runs.map((one) => ({
      path: `${one.trial.id.replaceAll(/[^\w.-]+/g, "~")}.json`,
      content: trajectoryOf(one, exported),
    })),
};

function trajectoryOf(one: ExportedRun, { iteration }: ExportedIteration): JsonObject {
  const { run, trial, grading } = one;
  const steps = stepsOf(one);
  const checks = decidedChecks(grading?.verdicts ?? []);
  const model = run.model ?? iteration.model;
  return {
    schema_version: "ATIF-v1.4",
    session_id: run.sessionId ?? `${iteration.suite}/iteration-${iteration.number}/${trial.id}`,
    agent: {
      name: run.client.name,
      version: run.client.version ?? "unknown",
      ...(model !== null && { model_name: model }),
    },
    steps,
    final_metrics: { ...totals(run.usage), total_steps: steps.length },
    extra: {
      assay: {
        suite: iteration.suite,
        iteration: iteration.number,
        trial: trial.id,
        variant: trial.variant,
        started_at: run.startedAt,
        outcome: run.outcome.status,
        checks: Object.fromEntries(checks),
      },
    },
  };
}

interface Step {
  readonly source: "system" | "user" | "agent";
  readonly agent: string | null;
  message: string;
  reasoning: string;
  readonly calls: JsonObject[];
  readonly results: JsonObject[];
  usage: Usage | null;
}

/** A model's turn is what it said, called and got back up to its next word. */
function stepsOf({ run, transcript }: ExportedRun): readonly JsonObject[] {
  const steps: Step[] = [];
  const byCall = new Map<string, Step>();
  const add = (source: Step["source"], agent: string | null, message = ""): Step => {
    const step: Step = { source, agent, message, reasoning: "", calls: [], results: [], usage: null };
    steps.push(step);
    return step;
  };
  const speaking = (agent: string | null): Step => {
    const last = steps.at(-1);
    const isOpen = last?.source === "agent" && last.agent === agent && last.results.length === 0;
    return isOpen ? last : add("agent", agent);
  };
  if (!transcript.some(isUserMessage))
    for (const message of run.sent?.messages ?? []) add("user", null, message);
  for (const event of transcript) {
    switch (event.kind) {
      case "message":
        if (event.role === "user") add("user", event.agent, event.text);
        else join(speaking(event.agent), "message", event.text);
        break;
      case "thinking":
        join(speaking(event.agent), "reasoning", event.text);
        break;
      case "tool-call": {
        const step = speaking(event.agent);
        step.calls.push({
          tool_call_id: event.callId,
          function_name: event.tool,
          arguments: argumentsOf(event.input),
        });
        byCall.set(event.callId, step);
        break;
      }
      case "tool-result":
        (byCall.get(event.callId) ?? speaking(event.agent)).results.push({
          ...(byCall.has(event.callId) && { source_call_id: event.callId }),
          content: event.output,
        });
        break;
      case "usage": {
        const last = steps.findLast(({ source }) => source === "agent");
        if (last !== undefined) last.usage = event.usage;
        break;
      }
      case "error":
        add("system", event.agent, event.message);
        break;
      case "skill-activated":
        break;
    }
  }
  if (steps.length === 0)
    add("system", null, `no transcript was kept; the run ended as ${run.outcome.status}`);
  return steps.map(stepObject);
}

function stepObject(
  { source, agent, message, reasoning, calls, results, usage }: Step,
  at: number,
): JsonObject {
  return {
    step_id: at + 1,
    source,
    message,
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(results.length > 0 && { observation: { results } }),
    ...(usage !== null && { metrics: metrics(usage) }),
    ...(agent !== null && { extra: { agent } }),
  };
}

function isUserMessage(event: TranscriptEvent): boolean {
  return event.kind === "message" && event.role === "user";
}

function join(step: Step, part: "message" | "reasoning", text: string): void {
  step[part] = step[part] === "" ? text : `${step[part]}\n\n${text}`;
}

function argumentsOf(input: Json): JsonObject {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input as JsonObject;
  return { input };
}

/** ATIF counts what came from a cache among the prompt's tokens. */
function promptTokens({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number | null {
  return inputTokens === null ? null : inputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
}

function metrics(usage: Usage): JsonObject {
  return known({
    prompt_tokens: promptTokens(usage),
    completion_tokens: usage.outputTokens,
    cached_tokens: usage.cacheReadTokens,
    cost_usd: usage.costUsd,
  });
}

function totals(usage: Usage): JsonObject {
  return known({
    total_prompt_tokens: promptTokens(usage),
    total_completion_tokens: usage.outputTokens,
    total_cached_tokens: usage.cacheReadTokens,
    total_cost_usd: usage.costUsd,
  });
}

/** What is unknown is left out. */
function known(values: Readonly<Record<string, number | null>>): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
