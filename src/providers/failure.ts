import type { IncomingHttpHeaders } from "node:http";
import { objectAt, textOrNull } from "../lib/loose.ts";
import type { ServiceError } from "../wires/client.ts";
import { GATEWAY_SAYS, REASON_HEADER, withoutGateway } from "./gateway-words.ts";
import type { ServiceFailure } from "./provider.ts";

/** Why one attempt gave no answer, and what may be done about it. */
export interface Failure {
  readonly reason: ServiceFailure;
  readonly message: string;
  /** The HTTP status of the reply, or the one that the error inside it names; null: none was told. */
  readonly status: number | null;
  /** The key, the account or the model is refused, so that every other request would fail alike; absent: one may do better. */
  readonly isLasting?: true;
  readonly retry:
    | { readonly kind: "never" }
    | { readonly kind: "back-off" }
    /** The service said how long; nothing shorter and nothing longer will do. */
    | { readonly kind: "after"; readonly waitMs: number };
}

export function failureOfReply(reply: {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}): Failure {
  const { status, headers, text } = reply;
  const error = errorIn(text);
  const message = withoutGateway(`${status}: ${error.message}`);
  const told = REASONS.find((one) => one === headers[REASON_HEADER]);
  const reason = told ?? reasonOf(status, error);
  // A budget that the gateway itself watches over may still do for a smaller request.
  const isOwn = told === undefined && error.message.startsWith(GATEWAY_SAYS);
  const lasting = isOwn ? {} : lastingOf(reason, status);
  const fail = (retry: Failure["retry"]): Failure => ({ reason, message, status, ...lasting, retry });
  if (reason === "auth" || reason === "budget" || headers["x-should-retry"] === "false")
    return fail({ kind: "never" });
  if (!RETRIED.has(status) && (status < 500 || status === 501)) return fail({ kind: "never" });
  const waitMs = retryAfterMs(headers);
  return fail(waitMs === null ? { kind: "back-off" } : { kind: "after", waitMs });
}

/** An error told inside a reply whose status says that all is well. */
export function failureOfError(error: ServiceError): Failure {
  const told = /^\d{3}$/.test(error.code) ? Number(error.code) : null;
  const status = told ?? STATUS_OF_CODE[error.code] ?? 400;
  const reason = reasonOf(status, error);
  const again = reason === "rate-limit" || (reason === "api" && status >= 500);
  const message = error.code === "" ? error.message : `${error.code}: ${error.message}`;
  const retry = { kind: again ? "back-off" : "never" } as const;
  return { reason, message, status: told, ...lastingOf(reason, status), retry };
}

export function brokenReply(message: string): Failure {
  return { reason: "network", message, status: null, retry: { kind: "back-off" } };
}

const REASONS: readonly ServiceFailure[] = ["auth", "rate-limit", "api", "network", "budget"];

const RETRIED: ReadonlySet<number> = new Set([408, 409, 429]);

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  server_error: 500,
  overloaded_error: 529,
  api_error: 500,
};

/** Spend limits come as 400, 402, 403 or 429, and waiting never helps. */
const SPENT =
  /enforced_spend_limit_reached|spend(?:ing)?[ _-]limit|credit balance|insufficient_(?:quota|funds|credits)|insufficient credits|billing_(?:error|hard_limit_reached|not_active)|exceeded your current quota/i;

function reasonOf(status: number, { code, message }: ServiceError): ServiceFailure {
  if (status === 402 || (status < 500 && SPENT.test(`${code} ${message}`))) return "budget";
  if (status === 401 || status === 403) return "auth";
  return status === 429 ? "rate-limit" : "api";
}

/** A model that a service does not have is not found. */
function lastingOf(reason: ServiceFailure, status: number): Pick<Failure, "isLasting"> {
  return reason === "auth" || reason === "budget" || status === 404 ? { isLasting: true } : {};
}

function errorIn(text: string): ServiceError {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { code: "", message: text.trim().slice(0, 500) || "no message" };
  }
  const error = objectAt(body)["error"];
  if (typeof error === "string") return { code: "", message: error };
  const codes = [textOrNull(error, "type"), textOrNull(error, "code")].filter((code) => code !== null);
  const details = objectAt(objectAt(error)["details"]);
  const message = textOrNull(error, "message") ?? textOrNull(body, "message") ?? text.slice(0, 500);
  return { code: [...codes, textOrNull(details, "error_code") ?? ""].join(" ").trim(), message };
}

function retryAfterMs(headers: IncomingHttpHeaders): number | null {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const header = headers["retry-after"];
  if (header === undefined || header.trim() === "") return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  const date = Date.parse(header);
  const served = Date.parse(headers.date ?? "");
  return Number.isNaN(date) || Number.isNaN(served) ? null : Math.max(0, date - served);
}
