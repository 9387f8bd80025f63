import { request as httpRequest } from "node:http";
import { machineIn } from "../support/machine.ts";
import { view, type Viewer } from "../../src/viewer/server.ts";
import type { ViewerOptions } from "../../src/operations/view.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A browser that was let in, over a socket of our own: it sends exactly the headers that it is told to. */
export interface Visitor extends AsyncDisposable {
  readonly viewer: Viewer;
  readonly host: string;
  readonly cookie: string;
  readonly ask: (path: string, asked?: Asked) => Promise<Reply>;
  readonly page: <T>(request: string) => Promise<T>;
  readonly post: <T>(request: string, value: unknown) => Promise<T>;
}

export async function visit(cwd: string, options: ViewerOptions = {}): Promise<Visitor> {
  const viewer = await view(options, { machine: machineIn(cwd) });
  const { host, pathname, search } = new URL(viewer.url);
  const entered = await ask(viewer.port, `${pathname}${search}`, { headers: { host } });
  const cookie = String(entered.headers["set-cookie"]).split(";")[0] ?? "";
  const withCookie = (path: string, asked: Asked = {}) =>
    ask(viewer.port, path, { ...asked, headers: { host, cookie, ...asked.headers } });
  const json = async <T>(path: string, asked: Asked = {}) => {
    const { status, text } = await withCookie(path, asked);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    viewer,
    host,
    cookie,
    ask: withCookie,
    page: (request) => json(`/api/${request}`),
    post: (request, value) =>
      json(`/api/${request}`, {
        method: "POST",
        headers: { origin: `http://${host}`, "content-type": "application/json" },
        body: JSON.stringify(value),
      }),
    [Symbol.asyncDispose]: () => viewer.close(),
  };
}

export function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body = "" }: Asked,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, path, method, headers, setHost: false }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("error", reject);
      reply.on("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          body: bytes,
          text: bytes.toString("utf8"),
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
