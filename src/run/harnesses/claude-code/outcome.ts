import type { LeftOutStatus, Outcome } from "../../../domain/run.ts";
import { listAt, type Loose, numberOrNull, textAt, textOrNull } from "../../../lib/loose.ts";
import { exitText, forcedOutcome } from "../../ending.ts";
import type { Supervised } from "../../process/command.ts";
import type { ClaudeStream } from "./stream.ts";

/**
 * How one call of the client ended. Its exit code and `subtype` say nothing reliable: an API error ends with subtype
 * "success", an interrupt with exit code 0. What counts is whether there is a result event and what `is_error` says.
 */
export function claudeOutcome(stream: ClaudeStream, supervised: Supervised): Outcome {
  const forced = forcedOutcome(supervised);
  if (forced !== null) return forced;
  const { ending, stderrTail } = supervised;
  if (ending.kind === "stopped") return { status: "completed" };
  const result = stream.results.findLast((one) => one["is_error"] === true) ?? stream.results.at(-1);
  if (result === undefined) {
    const how = ending.kind === "exited" ? exitText(ending) : ending.kind;
    const message = `claude ${how} without a result event: ${stderrTail.trim()}`;
    return /not logged in|invalid api key|authenticat/i.test(stderrTail)
      ? { status: "auth", message }
      : { status: "crashed", message };
  }
  return resultOutcome(result);
}

function resultOutcome(result: Loose): Outcome {
  const message = messageOf(result);
  switch (result["subtype"]) {
    case "error_max_turns":
      return { status: "max-turns", message };
    case "error_max_budget_usd":
      return { status: "budget", message };
    default:
      break;
  }
  if (result["is_error"] !== true) {
    const unknown = /^Unknown (?:slash )?command: (.*)/.exec(message);
    if (unknown !== null && numberOrNull(result, "num_turns") === 0) {
      return {
        status: "invalid",
        message: `the client does not know ${unknown[1] ?? "the command"}: the skill was not offered`,
      };
    }
    return { status: "completed" };
  }
  if (result["stop_reason"] === "refusal") return { status: "completed" };
  const failure = serviceFailure(numberOrNull(result, "api_error_status"), message);
  return failure === null ? { status: "crashed", message } : { status: failure, message };
}

function messageOf(result: Loose): string {
  return textOrNull(result, "result") ?? listAt(result, "errors").map(String).join("; ") ?? "";
}

/** What the client's words for a failed request mean; null when it was not the model service that failed. */
function serviceFailure(status: number | null, message: string): LeftOutStatus | null {
  if (status === 401 || status === 403 || /api key|not logged in|authenticat|\b40[13]\b/i.test(message))
    return "auth";
  if (status === 429 || /rate.?limit|\b429\b/i.test(message)) return "rate-limit";
  if (/unable to connect|econn|connection|timed out|socket|network/i.test(message)) return "network";
  if (
    status !== null ||
    /api error|credit balance|prompt is too long|selected model|overloaded/i.test(message)
  )
    return "api";
  return null;
}

/** The skill stopped to ask, in a run where nobody answers. */
export function interactiveStop(stream: ClaudeStream, { syncTasks }: { syncTasks: boolean }): Outcome | null {
  const result = stream.results.at(-1);
  const turns = result === undefined ? null : numberOrNull(result, "num_turns");
  const text = stream.text.trimEnd();
  if (
    turns === 1 &&
    textAt(result, "stop_reason") === "end_turn" &&
    (text.endsWith("?") || stream.asksUser)
  ) {
    return {
      status: "interactive",
      cause: "question",
      message: `the agent stopped with a question: ${text.slice(-200)}`,
    };
  }
  if (syncTasks || stream.backgroundTasks === 0 || turns === null) return null;
  const waiting = /\b(?:waiting on|still waiting|continuing|in progress|in the background)\b/i.test(text);
  if (!waiting && turns >= stream.backgroundTasks + 2) return null;
  return {
    status: "interactive",
    cause: "background-task",
    message: `the agent ended while ${stream.backgroundTasks} background task(s) were still at work; --sync-tasks makes them finish first`,
  };
}
