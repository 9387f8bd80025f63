import { leftOut } from "../../domain/left-out.ts";
import type { LeftOutStatus, Outcome } from "../../domain/run.ts";
import { withoutGateway } from "../../providers/gateway-words.ts";
import { beforeSession, exitText, forcedOutcome, inItsWords } from "../ending.ts";
import type { Supervised } from "../process/command.ts";

/** The client's account of a request that failed. */
export interface ClientFailure {
  readonly message: string;
  /** Of the service's answer; null: the client does not say, unless in its words. */
  readonly status: number | null;
}

interface Heard {
  readonly failure: ClientFailure | null;
  readonly completed: boolean;
  readonly begun: boolean;
  readonly trouble: string | null;
  readonly plain: string;
}

/** How one call ended. Exit codes decide nothing: clients end with 0 after a failure, and with others after an answer. */
export function streamOutcome(heard: Heard, supervised: Supervised, name: string): Outcome {
  return beforeSession(endOf(heard, supervised, name), heard);
}

function endOf(heard: Heard, supervised: Supervised, name: string): Outcome {
  const { failure, completed, begun, trouble, plain } = heard;
  const forced = forcedOutcome(supervised);
  const { ending, stderrTail } = supervised;
  if (forced?.status === "timed-out" && !begun) return waitedFor(trouble ?? stderrTail, name) ?? forced;
  if (forced !== null) return forced;
  if (ending.kind === "stopped") return { status: "completed" };
  if (failure !== null) return failedOutcome(failure);
  if (completed && begun) return { status: "completed" };
  const how = ending.kind === "exited" ? exitText(ending) : ending.kind;
  const message = inItsWords(
    `${name} ${how} before ${begun ? "its turn was complete" : "a model answered"}`,
    stderrTail,
    plain,
    trouble ?? "",
  );
  if (/\bmax(?:imum)? (?:session )?turns\b/iu.test(stderrTail)) return { status: "max-turns", message };
  const service = begun ? null : serviceFailure(null, message);
  return service === null ? { status: "crashed", message } : leftOut(service, message);
}

/** Some clients repeat a request that fails up to their deadline, and tell so; null: it was not that. */
function waitedFor(trouble: string, name: string): Outcome | null {
  const status = statusIn(trouble);
  const failure = serviceFailure(status, trouble);
  const message = `${name} got no answer from its model before the deadline: ${trouble.trim()}`;
  return failure === null ? null : leftOut(failure, message, status);
}

/** The gateway's own status only makes clients give up; its words tell the service's. */
function failedOutcome({ message: words, status }: ClientFailure): Outcome {
  const message = withoutGateway(words);
  const said = message === words ? (status ?? statusIn(words)) : statusIn(message);
  const failure = serviceFailure(said, message);
  return failure === null ? { status: "crashed", message } : leftOut(failure, message, said);
}

function statusIn(message: string): number | null {
  const found = /(?:^|[^\d.:])([45]\d\d)(?!\.?\d)/u.exec(message)?.[1];
  return found === undefined ? null : Number(found);
}

/** What a client's words for a failed request mean; null when it was not the model service that failed. */
function serviceFailure(status: number | null, message: string): LeftOutStatus | null {
  if (status === 401 || status === 403 || AUTH.test(message)) return "auth";
  if (status === 429 || /rate.?limit|too many requests|quota/iu.test(message)) return "rate-limit";
  if (status !== null) return "api";
  if (NETWORK.test(message)) return "network";
  return /api error|bad request|overloaded|internal server error|model.{0,80}not (?:found|exist|supported)/iu.test(
    message,
  )
    ? "api"
    : null;
}

const AUTH = /api.?key|unauthori[sz]ed|authenticat|not logged in|no auth/iu;
const NETWORK =
  /econn|enotfound|etimedout|fetch failed|connection|connect\b|socket|network|timed out|terminated|other side closed|unable to reach/iu;
