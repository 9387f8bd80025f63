import { leftOut } from "../../../domain/left-out.ts";
import type { LeftOutStatus, Outcome } from "../../../domain/run.ts";
import { listAt, type Loose, numberOrNull, textAt, textOrNull } from "../../../lib/loose.ts";
import { beforeSession, exitText, forcedOutcome, inItsWords } from "../../ending.ts";
import type { Supervised } from "../../process/command.ts";
import { withoutGateway } from "../../../providers/gateway-words.ts";

/**
 * How one call of the client ended. Its exit code and `subtype` say nothing reliable: an API error ends with subtype
 * "success", an interrupt with exit code 0. What counts is whether there is a result event and what `is_error` says.
 */
export function claudeOutcome(said: ClaudeSaid, supervised: Supervised): Outcome {
  return beforeSession(endOf(said, supervised), said);
}

export interface ClaudeSaid {
  readonly results: readonly Loose[];
  /** A model has answered in it. */
  readonly begun: boolean;
  /** The last line that is no event; "": there was none. */
  readonly plain: string;
}

function endOf({ results, begun, plain }: ClaudeSaid, supervised: Supervised): Outcome {
  const forced = forcedOutcome(supervised);
  if (forced !== null) return forced;
  const { ending, stderrTail } = supervised;
  if (ending.kind === "stopped") return { status: "completed" };
  const result = results.findLast((one) => one["is_error"] === true) ?? results.at(-1);
  if (result !== undefined) return resultOutcome(result, begun);
  const how = ending.kind === "exited" ? exitText(ending) : ending.kind;
  const message = inItsWords(`claude ${how} without a result event`, stderrTail, plain);
  return AUTH_TEXT.test(stderrTail) ? leftOut("auth", message) : { status: "crashed", message };
}

function resultOutcome(result: Loose, begun: boolean): Outcome {
  const message = textOrNull(result, "result") ?? listAt(result, "errors").map(String).join("; ");
  switch (result["subtype"]) {
    case "error_max_turns":
      return { status: "max-turns", message: message || "the client reached its turn limit" };
    case "error_max_budget_usd":
      return leftOut("budget", message || "the client reached its cost limit");
    default:
      break;
  }
  if (typeof result["is_error"] !== "boolean")
    return { status: "crashed", message: "claude's result event does not say whether it is an error" };
  if (!result["is_error"])
    return unknownCommand(result, message) ?? (begun ? { status: "completed" } : ownWords(message));
  // A model that declines has answered; the checks judge that answer.
  if (result["stop_reason"] === "refusal") return { status: "completed" };
  const status = numberOrNull(result, "api_error_status");
  const failure = serviceFailure(status, message);
  if (failure === null) return { status: "crashed", message };
  return leftOut(failure, withoutGateway(message), status ?? statusInWords(message));
}

/** The client answered by itself that there is no such slash command: nothing was sent to a model. */
function unknownCommand(result: Loose, message: string): Outcome | null {
  const named = /^Unknown (?:slash )?command: (.*)/.exec(message)?.[1];
  if (named === undefined || numberOrNull(result, "num_turns") !== 0) return null;
  return leftOut("invalid", `the client does not know ${named}: the skill was not offered`);
}

/** The client calls it a success, yet no model has answered: what it says is about a login, a limit or itself. */
function ownWords(message: string): Outcome {
  const status = serviceFailure(null, message) ?? "invalid";
  return leftOut(status, inItsWords("claude ended before a model answered", message));
}

/** What the client's words for a failed request mean; null when it was not the model service that failed. */
function serviceFailure(status: number | null, message: string): LeftOutStatus | null {
  if (status === 401 || status === 403 || (status === null && AUTH_TEXT.test(message))) return "auth";
  if (status === 429 || (status === null && /rate.?limit|\b429\b/i.test(message))) return "rate-limit";
  if (status !== null) return "api";
  if (/unable to connect|econn|connection|timed out|socket|network/i.test(message)) return "network";
  return /api error|credit balance|prompt is too long|selected model|overloaded/i.test(message)
    ? "api"
    : null;
}

/** Older clients tell the status only so, and put some refusals of the service into words of their own. */
function statusInWords(message: string): number | null {
  const status = /^API Error: (\d{3})\b/.exec(message)?.[1];
  if (status !== undefined) return Number(status);
  if (/selected model/i.test(message)) return 404;
  return /credit balance|prompt is too long/i.test(message) ? 400 : null;
}

const AUTH_TEXT = /api key|not logged in|authenticat|oauth|\b40[13]\b/i;

/** What the heuristics look at. */
export interface LastWords {
  readonly results: readonly Loose[];
  /** The main agent's text. */
  readonly text: string;
  readonly asksUser: boolean;
  readonly backgroundTasks: number;
}

/** The agent stopped to ask or to wait, in a run where nobody answers; null when it does not look so. */
export function interactiveStop(said: LastWords, { syncTasks }: { syncTasks: boolean }): Outcome | null {
  const last = said.results.at(-1);
  const turns = last === undefined ? null : numberOrNull(last, "num_turns");
  if (turns === null) return null;
  const text = said.text.trimEnd();
  const ended = textAt(last, "stop_reason") === "end_turn";
  if (turns === 1 && ended && (text.endsWith("?") || said.asksUser)) {
    const message = `the agent stopped with a question: ${text.slice(-200)}`;
    return { status: "interactive", cause: "question", message };
  }
  if (syncTasks || said.backgroundTasks === 0) return null;
  const allTurns = said.results.reduce((sum, one) => sum + (numberOrNull(one, "num_turns") ?? 0), 0);
  if (!WAITING.test(text) && allTurns >= said.backgroundTasks + 2) return null;
  const message = `the agent ended while ${said.backgroundTasks} background task(s) were still running; --sync-tasks makes them finish first`;
  return { status: "interactive", cause: "background-task", message };
}

const WAITING = /\b(?:waiting on|still waiting|continuing|in progress|in the background)\b/i;
