import { leftOut } from "../../../domain/left-out.ts";
import type { LeftOutStatus, Outcome } from "../../../domain/run.ts";
import { objectAt, parseLine } from "../../../lib/loose.ts";
import { beforeSession, exitText, forcedOutcome, inItsWords } from "../../ending.ts";
import type { Supervised } from "../../process/command.ts";

export interface TurnEnd {
  /** From `turn.failed`. */
  readonly failure: string | null;
  /** There was a `turn.completed`. */
  readonly completed: boolean;
  /** A model has answered. */
  readonly begun: boolean;
  /** The last passing trouble that the client told of; null: there was none. */
  readonly trouble: string | null;
  /** The last line that is no event; "": there was none. */
  readonly plain: string;
}

export function codexOutcome(end: TurnEnd, supervised: Supervised): Outcome {
  return beforeSession(endOf(end, supervised), end);
}

function endOf({ failure, completed, begun, trouble, plain }: TurnEnd, supervised: Supervised): Outcome {
  const forced = forcedOutcome(supervised);
  // Offline, the client waits for a network until somebody ends it.
  if (forced?.status === "timed-out" && !begun && trouble !== null) return waitedFor(trouble);
  if (forced !== null) return forced;
  const { ending, stderrTail } = supervised;
  if (failure !== null) return failedTurn(failure);
  if (completed || ending.kind === "stopped") return { status: "completed" };
  const how = ending.kind === "exited" ? exitText(ending) : ending.kind;
  const message = inItsWords(`codex ${how} before its turn was complete`, stderrTail, plain);
  return { status: "crashed", message };
}

function waitedFor(trouble: string): Outcome {
  const message = `codex got no answer from its model before the deadline: ${trouble}`;
  return leftOut(serviceFailure(trouble, undefined) ?? "network", message);
}

function failedTurn(message: string): Outcome {
  const status =
    /\bstatus:? (\d{3})\b/i.exec(message)?.[1] ??
    statusOfBody(message) ??
    (UNKNOWN_MODEL.test(message) ? "404" : undefined);
  const failure = serviceFailure(message, status);
  if (failure === null) return { status: "crashed", message };
  return leftOut(failure, message, status === undefined ? null : Number(status));
}

/** How services without a status in their message say so. */
const UNKNOWN_MODEL = /\bmodel\b.{0,200}\b(?:not supported|does not exist|not found)\b|model_not_found/is;
/** A service's own words for a request that it calls wrong come as the body of its answer, without a status. */
function statusOfBody(message: string): string | undefined {
  const { type, code } = objectAt(parseLine(message), "error");
  return type === "invalid_request_error" || code === "model_not_found" ? "400" : undefined;
}

/** What the client's words for a failed turn mean; null when it was not the model service that failed. */
function serviceFailure(message: string, status: string | undefined): LeftOutStatus | null {
  if (
    status === "401" ||
    status === "403" ||
    /unauthori[sz]ed|api key|missing environment variable/i.test(message)
  )
    return "auth";
  if (status === "429" || /\b429\b|rate.?limit|quota|usage limit/i.test(message)) return "rate-limit";
  if (status !== undefined) return "api";
  if (/stream disconnected|connection|network|dns|timed? ?out/i.test(message)) return "network";
  return /\b[45]\d\d\b|high demand|bad request|"error"|overloaded/i.test(message) ? "api" : null;
}
