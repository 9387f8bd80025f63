import { UserError } from "../../domain/user-error.ts";
import type { Machine } from "../../machine.ts";
import { post } from "../../providers/post.ts";

const DEADLINE_MS = 30_000;

/** Sends spans to a collector, once. Throws a UserError where it does not take them. */
export async function postTraces(
  endpoint: string,
  body: string,
  { env, signal }: Pick<Machine, "env"> & { readonly signal: AbortSignal },
): Promise<void> {
  const url = tracesUrl(endpoint);
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const headers = {
    "content-type": "application/json",
    ...headersIn(env["OTEL_EXPORTER_OTLP_HEADERS"] ?? ""),
  };
  const reply = await post(url, { headers, body, signal: AbortSignal.any([signal, deadline]) }).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      if (deadline.aborted)
        return { kind: "broken" as const, message: `no reply within ${DEADLINE_MS / 1000} s` };
      throw error;
    },
  );
  if (reply.kind === "reply" && reply.status >= 200 && reply.status < 300) return;
  const why = reply.kind === "broken" ? reply.message : `it answered ${reply.status}`;
  throw new UserError("export/not-taken", `${url.origin} did not take the spans: ${why}`, {
    hint: "check the collector and its OTLP/HTTP port, usually 4318; OTEL_EXPORTER_OTLP_HEADERS sets headers",
  });
}

/** A collector's address alone means its usual path. */
function tracesUrl(endpoint: string): URL {
  let url: URL;
  try {
    url = new URL(endpoint);
  } catch {
    url = new URL("invalid:");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new UserError("export/bad-endpoint", `${JSON.stringify(endpoint)} is no http address`, {
      hint: "pass one such as http://127.0.0.1:4318",
    });
  if (url.pathname === "/") url.pathname = "/v1/traces";
  return url;
}

/** `name=value` pairs with commas, percent-encoded, as OpenTelemetry has them. */
function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 1
      ? []
      : [[pair.slice(0, at).trim().toLowerCase(), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
