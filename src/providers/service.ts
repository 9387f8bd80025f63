import { type Usage, UNKNOWN_USAGE } from "../domain/run.ts";
import { UserError } from "../domain/user-error.ts";
import type { ClientView, ServiceReply } from "../wires/client.ts";
import { failureOfError, failureOfReply, type Failure, brokenReply } from "./failure.ts";
import { type HttpReply, post } from "./post.ts";
import type { ModelReply, Provider } from "./provider.ts";
import { type Attempt, persist, type Patience } from "./retry.ts";

/** How to reach one service. Nothing of it is read from the environment here. */
export interface ServiceOptions {
  readonly baseUrl: string;
  /** Null: the service wants none, as local servers do. */
  readonly key: string | null;
  /** Sent with every request, over what the dialect sends. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a call cost; null where nobody knows. Left out: nothing is priced. */
  readonly priceOf?: (model: string, usage: Usage) => number | null;
  readonly patience?: Partial<Patience>;
}

/** What is particular to one kind of service: where it listens, how it is spoken to. */
export interface ServiceDialect extends Pick<Provider, "name" | "takesImages"> {
  /** The address of the one call we make, from the base address a person gives. */
  url(baseUrl: string): string;
  headers(key: string): Readonly<Record<string, string>>;
  readonly client: ClientView;
}

export function service(dialect: ServiceDialect, options: ServiceOptions): Provider {
  const url = addressOf(dialect, options.baseUrl);
  const headers = { ...(options.key === null ? {} : dialect.headers(options.key)), ...options.headers };
  const { name, takesImages = false } = dialect;
  return {
    name,
    takesImages,
    async complete(request, signal): Promise<ModelReply> {
      const body = JSON.stringify(dialect.client.body(request));
      const attempt = async (signal: AbortSignal): Promise<Attempt<Answered>> =>
        toAttempt(await post(url, { headers, body, signal }), (parsed) =>
          dialect.client.read(parsed, request),
        );
      const reply = await persist(attempt, options.patience ?? {}, signal);
      if (reply.ok) return { ...reply.value, usage: priced(reply.value, options) };
      const { reason, message, status, isLasting } = reply.failure;
      return {
        status: "failed",
        reason,
        message: hideKey(message, options.key),
        httpStatus: status,
        ...(isLasting && { isLasting }),
        usage: UNKNOWN_USAGE,
      };
    },
  };
}

type Answered = Extract<ModelReply, { status: "answered" }>;

function addressOf(dialect: ServiceDialect, baseUrl: string): URL {
  const address = URL.canParse(baseUrl) ? dialect.url(baseUrl.replace(/\/+$/, "")) : "";
  if (/^https?:\/\//i.test(address)) return new URL(address);
  throw new UserError(
    "providers/bad-url",
    `the address of the ${dialect.name} service is ${JSON.stringify(baseUrl)}, which is not an http address`,
    { hint: "write it with its scheme, e.g. http://localhost:11434/v1" },
  );
}

function toAttempt(reply: HttpReply, read: (body: unknown) => ServiceReply): Attempt<Answered> {
  const fail = (failure: Failure): Attempt<Answered> => ({ ok: false, failure });
  if (reply.kind === "broken") return fail(brokenReply(reply.message));
  if (reply.status < 200 || reply.status > 299) return fail(failureOfReply(reply));
  let body: unknown;
  try {
    body = JSON.parse(reply.text);
  } catch {
    return fail(notJson(reply.text));
  }
  const answer = read(body);
  if (answer.kind === "error") return fail(failureOfError(answer));
  const { parts, stop, model, usage } = answer;
  return { ok: true, value: { status: "answered", parts, stop, model, usage } };
}

/** Half of a JSON reply was cut on its way; anything else was never one. */
function notJson(text: string): Failure {
  if (text.trim() === "" || /^\s*[{[]/.test(text))
    return brokenReply("the reply is cut off: it is not whole JSON");
  const message = `the service did not answer in JSON: ${text.trim().slice(0, 200)}`;
  return { reason: "api", message, status: null, retry: { kind: "never" } };
}

function priced({ model, usage }: Answered, { priceOf }: ServiceOptions): Usage {
  return usage.costUsd === null ? { ...usage, costUsd: priceOf?.(model, usage) ?? null } : usage;
}

/** Services like to repeat a wrong key in their message. */
function hideKey(message: string, key: string | null): string {
  return key === null || key === "" ? message : message.replaceAll(key, "[key]");
}
