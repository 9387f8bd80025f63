import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";

/** What the service takes; everything else is a 401, as at the real ones. */
export const GOOD = {
  anthropicKey: "sk-ant-api03-field-good-key",
  claudeToken: "sk-ant-oat01-field-good-token",
  openaiKey: "sk-proj-field-good-key",
  codexToken: `field.${Buffer.from(JSON.stringify({ exp: 4_000_000_000 })).toString("base64url")}.good-signature`,
  account: "account-of-the-field",
} as const;

const SCRIPT = `
rules:
  - when: { structured: true }
    reply: { verdicts: [{ criterion: greets, quote: Hello Ada }] }
  - when: { userText: "Criteria:" }
    reply: { verdicts: [{ criterion: greets, quote: Hello Ada }] }
  - when: { anywhere: "Be formal." }
    reply: Good day Ada
  - when: {}
    reply: Hello Ada
`;

export interface StrictService extends AsyncDisposable {
  readonly url: string;
  /** Settled once somebody asks what contains `HOLD`; no such question is answered before `release`. */
  readonly held: Promise<void>;
  readonly release: () => void;
}

/** A question that contains this waits for the test. */
export const HOLD = "Take your time.";

/** Both vendors at one address: a scripted model behind a door that insists on a credential. */
export async function strictService(): Promise<StrictService> {
  const sim = await startSim(parseScript(SCRIPT));
  const held = signalled();
  const released = signalled();
  const gate = async (body: Buffer) => {
    if (!body.includes(HOLD)) return;
    held.signal();
    await released.happened;
  };
  const server = createServer((request, response) => void serve(request, response, { url: sim.url, gate }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: held.happened,
    release: released.signal,
    async [Symbol.asyncDispose]() {
      await closed(server);
      await sim.close();
    },
  };
}

interface Behind {
  readonly url: string;
  readonly gate: (body: Buffer) => Promise<void>;
}

async function serve(request: IncomingMessage, response: ServerResponse, behind: Behind): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  await behind.gate(body);
  const { status, type, text } = await answer(request, body, behind.url);
  response.writeHead(status, { "content-type": type });
  response.end(text);
}

function signalled(): { readonly happened: Promise<void>; readonly signal: () => void } {
  let signal = (): void => {};
  const happened = new Promise<void>((resolve) => {
    signal = resolve;
  });
  return { happened, signal };
}

const JSON_TYPE = "application/json";

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

async function answer(
  { method = "GET", url = "/", headers }: Asked,
  body: Buffer,
  simUrl: string,
): Promise<Answer> {
  if (method !== "HEAD" && !isWelcome(headers)) {
    const error = { type: "authentication_error", message: "invalid x-api-key" };
    return { status: 401, type: JSON_TYPE, text: JSON.stringify({ type: "error", error }) };
  }
  if (method === "HEAD") return { status: 200, type: JSON_TYPE, text: "" };
  if (method === "GET" && url.includes("unknown")) {
    const error = { type: "not_found_error", message: `model: ${url}` };
    return { status: 404, type: JSON_TYPE, text: JSON.stringify({ type: "error", error }) };
  }
  if (method === "GET")
    return { status: 200, type: JSON_TYPE, text: JSON.stringify({ id: url, data: [{ id: "any" }] }) };
  const response = await fetch(`${simUrl}${url}`, {
    method,
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
    body: new Uint8Array(body),
  });
  const type = response.headers.get("content-type") ?? JSON_TYPE;
  return { status: response.status, type, text: await response.text() };
}

function isWelcome(headers: IncomingHttpHeaders): boolean {
  const bearer = headers.authorization?.replace(/^Bearer /, "");
  if (headers["x-api-key"] === GOOD.anthropicKey || bearer === GOOD.openaiKey) return true;
  if (bearer === GOOD.claudeToken) return String(headers["anthropic-beta"]).includes("oauth-2025-04-20");
  return bearer === GOOD.codexToken && headers["chatgpt-account-id"] === GOOD.account;
}

async function closed(server: Server): Promise<void> {
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await stopped;
}
