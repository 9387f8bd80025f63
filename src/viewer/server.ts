import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UserError } from "../domain/user-error.ts";
import type { Door } from "../operations/door.ts";
import { openResults, type Results, viewerApp, viewerPlace, type ViewerOptions } from "../operations/view.ts";
import { answerTo, changeTo, iterationIn } from "./answer.ts";
import type { Refusal } from "./api.ts";
import { type Guard, guardOf, isLoopback } from "./server/guard.ts";
import { beginEvents, type HttpExchange, sendFile, sendText } from "./server/send.ts";
import { markdownOf } from "./markdown.ts";
import { contentPolicy, shellPage } from "./shell.ts";

export { openBrowser } from "./server/open-browser.ts";

/** The viewer over HTTP. It answers until it is disposed of or the door's signal fires. */
export interface Viewer extends AsyncDisposable {
  /** With the token in it: it lets in one browser, once. */
  readonly url: string;
  readonly port: number;
  /** Other machines can reach it. */
  readonly isOpen: boolean;
  close(): Promise<void>;
}

/** Serves the results to one person. Throws a UserError where there are none and for a port that is taken. */
export async function view(options: ViewerOptions, door: Door): Promise<Viewer> {
  const { port: wanted, host } = viewerPlace(options, door);
  const results = await openResults({ folder: options.folder, workspace: options.workspace }, door);
  door.signal?.throwIfAborted();
  const server = createServer();
  server.maxHeadersCount = 100;
  const port = await listen(server, { host, port: wanted });
  const guard = guardOf({ host, port });
  const serving = { results, guard };
  server.on("request", (request, response) => {
    handle({ request, response }, serving).catch(() => response.destroy());
  });
  const close = () => shut(server);
  door.signal?.addEventListener("abort", () => void close(), { once: true });
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${port}/${startPage(results)}token=${guard.token}`,
    port,
    isOpen: !isLoopback(host),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Serving {
  readonly results: Results;
  readonly guard: Guard;
}

function startPage({ start }: Results): string {
  return start === null ? "?" : `iteration?skill=${encodeURIComponent(start.skill)}&n=${start.n}&`;
}

async function handle(exchange: HttpExchange, serving: Serving): Promise<void> {
  const { request } = exchange;
  const { guard } = serving;
  const refusal = guard.refusal(request);
  if (refusal !== null) return sendRefusal(exchange, 403, { code: "view/refused", message: refusal });
  const url = addressOf(request);
  if (url === null)
    return sendRefusal(exchange, 400, { code: "view/bad-request", message: "the address is unreadable" });
  const token = url.searchParams.get("token");
  if (token !== null && !url.pathname.startsWith("/api/")) return enter(exchange, url, token, guard);
  if (!guard.knows(request)) return sendRefusal(exchange, 403, STRANGER);
  if (url.pathname.startsWith("/api/")) return sendAnswer(exchange, url, serving);
  if (request.method !== "GET" && request.method !== "HEAD")
    return sendRefusal(exchange, 405, { code: "view/refused", message: "only GET is understood here" });
  if (url.pathname === "/app.js")
    return sendText(exchange, { type: "text/javascript", text: (await viewerApp()).script });
  if (url.pathname === "/app.css")
    return sendText(exchange, { type: "text/css", text: (await viewerApp()).style });
  if (!/^\/[a-z-]*$/.test(url.pathname)) return sendRefusal(exchange, 404, NO_PAGE);
  return url.searchParams.get("format") === "md" ? sendAnswer(exchange, url, serving) : sendPage(exchange);
}

const NO_PAGE = { code: "view/not-found", message: "there is no such page" };

const STRANGER = {
  code: "view/unknown-browser",
  message: "this browser has no access",
  hint: "open the link that assay view printed; it works for one browser, once: start assay view again for another",
};

function addressOf({ url = "/" }: IncomingMessage): URL | null {
  try {
    return new URL(url, "http://viewer");
  } catch {
    return null;
  }
}

/** Goes on from a page of our own, because a browser keeps the new cookie from a redirect that another site began. */
async function enter(exchange: HttpExchange, url: URL, token: string, guard: Guard): Promise<void> {
  const cookie = guard.exchange(token);
  if (cookie === null && !guard.knows(exchange.request)) return sendRefusal(exchange, 403, STRANGER);
  url.searchParams.delete("token");
  const target = `${url.pathname.replaceAll(/[^a-z/-]/g, "")}${url.search}`
    .replaceAll("&", "&amp;")
    .replaceAll('"', "%22");
  const text = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${target}"><title>Assay</title>\n`;
  await sendText(exchange, {
    type: "text/html",
    text,
    headers: {
      // Browsers let no page go on by itself that is in a sandbox.
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      ...(cookie !== null && { "set-cookie": cookie }),
    },
  });
}

async function sendPage(exchange: HttpExchange): Promise<void> {
  const nonce = randomBytes(16).toString("base64");
  const text = shellPage({ nonce, script: { src: "/app.js" }, style: { src: "/app.css" } });
  const policy = `${contentPolicy(nonce)}; frame-ancestors 'none'`;
  await sendText(exchange, { type: "text/html", text, headers: { "content-security-policy": policy } });
}

async function sendAnswer(exchange: HttpExchange, url: URL, { results }: Serving): Promise<void> {
  try {
    if (exchange.request.method === "POST") {
      const changed = await changeBy(results, url, await bodyOf(exchange.request));
      return await sendText(exchange, { type: "application/json", text: JSON.stringify(changed) });
    }
    if (url.pathname === "/api/live") return await sendLive(exchange, results, url);
    const isPage = !url.pathname.startsWith("/api/");
    const name = url.pathname.replace(/^\/(?:api\/)?/, "") || "overview";
    const answering = answerTo(results, name, url.searchParams);
    if (answering === null) return await sendRefusal(exchange, 404, NO_PAGE);
    const answer = await answering;
    if (answer.kind === "file") return await sendFile(exchange, answer.file, answer.name);
    await (isPage
      ? sendText(exchange, { type: "text/markdown", text: markdownOf(name, answer.page) })
      : sendText(exchange, { type: "application/json", text: JSON.stringify(answer.page) }));
  } catch (error) {
    if (exchange.response.headersSent) throw error;
    if (!(error instanceof UserError))
      return sendRefusal(exchange, 500, { code: "view/failed", message: (error as Error).message });
    await sendRefusal(exchange, STATUS.get(error.code) ?? 422, error);
  }
}

/** Server-sent events, each a whole state, until the iteration ends or the page is left. */
async function sendLive({ response }: HttpExchange, results: Results, url: URL): Promise<void> {
  const left = new AbortController();
  response.on("close", () => left.abort());
  for await (const state of results.live(iterationIn(url.searchParams), left.signal)) {
    if (!response.headersSent) beginEvents(response);
    response.write(`data: ${JSON.stringify(state)}\n\n`);
  }
  response.end("event: end\ndata: {}\n\n");
}

async function changeBy(results: Results, url: URL, value: unknown): Promise<unknown> {
  const name = url.pathname.slice("/api/".length);
  const changed = changeTo(results, { name, query: url.searchParams, value });
  if (changed === null) throw new UserError("view/not-found", "nothing can be changed there");
  return changed;
}

const MOST_BODY_BYTES = 4 * 1024 * 1024;

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BODY_BYTES) throw new UserError("view/bad-request", "that is too long");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
  } catch {
    throw new UserError("view/bad-request", "that is not JSON");
  }
}

const STATUS: ReadonlyMap<string, number> = new Map([
  ["view/not-found", 404],
  ["view/bad-request", 400],
]);

async function sendRefusal(
  exchange: HttpExchange,
  status: number,
  { code, message, hint = null }: { code: string; message: string; hint?: string | null },
): Promise<void> {
  const refusal: Refusal = { error: { code, message, hint } };
  const wantsPage = /\btext\/html\b/.test(exchange.request.headers.accept ?? "");
  const text = wantsPage
    ? `${message}\n${hint === null ? "" : `\n${hint}\n`}`
    : `${JSON.stringify(refusal)}\n`;
  await sendText(exchange, { status, type: wantsPage ? "text/plain" : "application/json", text });
}

function listen(server: Server, at: { readonly host: string; readonly port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "something else listens there" : error.message;
      reject(
        new UserError("view/port", `the viewer cannot listen on ${at.host}:${at.port}: ${why}`, {
          hint: "leave --port out to get a free one; --host takes an address of this machine",
          cause: error,
        }),
      );
    });
    server.listen(at, () => resolve((server.address() as AddressInfo).port));
  });
}

async function shut(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
