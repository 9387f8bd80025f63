import type { IncomingMessage, ServerResponse } from "node:http";
import type { Service } from "./ask-service.ts";
import type { Budget } from "./budget.ts";
import type { PriceOf } from "./estimate.ts";
import { printable } from "../lib/printable.ts";
import { exchange } from "./exchange.ts";
import { tokenIn } from "./headers.ts";
import { type Address, type Asks, readAddress, readAsks, toCall, wireSpokenBy } from "./read-call.ts";
import { refuse } from "./refusal.ts";
import { readBody, type RequestBody } from "./request-body.ts";
import type { OpenTrial, Trials } from "./trials.ts";

export interface ServeParts {
  readonly trials: Trials;
  readonly services: readonly Service[];
  readonly budget: Budget;
  readonly priceOf: PriceOf;
}

/** Answers one HTTP request. Never rejects. */
export async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServeParts,
): Promise<void> {
  const address = readAddress(request.url ?? "/");
  const stranger = strangerIn(request.headers);
  if (stranger !== null)
    return dismiss(request, () =>
      refuse(response, {
        wire: wireSpokenBy(request, address.path),
        status: 403,
        message: `the gateway only answers programs on this machine, not ${stranger}`,
        final: true,
      }),
    );
  if (isGreeting(request, address)) {
    response.writeHead(200, { "content-type": "text/plain" });
    response.end(request.method === "HEAD" ? undefined : "assay gateway\n");
    return;
  }
  const wire = wireSpokenBy(request, address.path);
  const say = (status: number, message: string, final = false): void =>
    refuse(response, { wire, status, message, final });
  const trial = parts.trials.find(tokenIn(request.headers, address.query), address.trialPath);
  if ("refused" in trial) return dismiss(request, () => say(401, trial.refused, true));
  const asks = readAsks(request, address);
  if (asks === null) return dismiss(request, () => say(404, unknownPath(request, address)));
  const service = serviceFor(trial, asks, parts.services);
  if (service === undefined) return dismiss(request, () => say(404, noService(asks, parts.services)));
  const body = await bodyOf(request);
  if (body === null) return;
  if (!body.ok) return say(body.status, body.message);
  const { name, endpoint, log, live, tape } = trial;
  const call = toCall(asks, address, {
    request,
    body,
    trial: { trial: name, endpoint, ordinal: trial.nextOrdinal() },
  });
  const { budget, priceOf } = parts;
  await exchange(call, { service, budget, priceOf, tape, log, live }, response);
}

/** A page in a browser can reach loopback by a name of its own; it cannot hide that name, nor where it comes from. */
function strangerIn({ host, origin }: IncomingMessage["headers"]): string | null {
  if (host !== undefined && !isLoopback(`http://${host}`))
    return `callers of the host ${printable(host.slice(0, 100))}`;
  if (origin !== undefined && !isLoopback(origin)) return `pages from ${printable(origin.slice(0, 100))}`;
  return null;
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** Some clients look whether anybody is there before they send their token. */
function isGreeting({ method }: IncomingMessage, { path }: Address): boolean {
  return method === "HEAD" || (method === "GET" && path === "/");
}

/** A body that nobody wants is read and thrown away, so that the client gets to read what it is told. */
function dismiss(request: IncomingMessage, say: () => void): void {
  request.resume();
  say();
}

function unknownPath({ method }: IncomingMessage, { path }: Address): string {
  return `${method} ${path.slice(0, 200)} is not forwarded; the gateway supports messages, responses, chat/completions, generateContent and models`;
}

function serviceFor(
  { upstream }: OpenTrial,
  { wire }: Asks,
  services: readonly Service[],
): Service | undefined {
  return services.find(({ upstream: { name, wires, onRequest = false } }) =>
    upstream === null ? wires.includes(wire) && !onRequest : name === upstream,
  );
}

function noService({ wire }: Asks, services: readonly Service[]): string {
  const known = services.map(({ upstream }) => `${upstream.name} (${upstream.wires.join(", ")})`);
  return `no model service for ${wire} is set up; available: ${known.join(", ") || "none"}`;
}

/** Null when the client left before it had said everything. */
async function bodyOf(request: IncomingMessage): Promise<RequestBody | null> {
  try {
    return await readBody(request);
  } catch {
    return null;
  }
}
