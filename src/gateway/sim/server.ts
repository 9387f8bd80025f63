import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { UserError } from "../../domain/user-error.ts";
import { exchange } from "./exchange.ts";
import { chooser } from "./match.ts";
import { requestLog, type SimRequest } from "./request-log.ts";
import type { SimScript } from "./script.ts";

/** A scripted model service on loopback. */
export interface Sim extends AsyncDisposable {
  /** Without a slash at the end; clients add `/v1/...`, after a prefix of their own if they like. */
  readonly url: string;
  readonly port: number;
  /** In the order they came; the oldest go when there are very many. */
  readonly requests: readonly SimRequest[];
  /** Requests that nothing in the script answers. */
  readonly unmatched: readonly SimRequest[];
  /** Open streams are cut; everything is released when it resolves. */
  close(): Promise<void>;
}

export interface SimServerOptions {
  /** 0 or none: any free port. */
  readonly port?: number;
  /** Called once for each request, when its exchange is over. */
  readonly log?: (request: SimRequest) => void;
  /** JSON lines are appended here. */
  readonly logFile?: string;
  readonly now?: () => Date;
}

export async function startSim(script: SimScript, options: SimServerOptions = {}): Promise<Sim> {
  const log = await requestLog({ file: options.logFile, listener: options.log });
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const open = new Set<Promise<void>>();
  const answer = exchange({
    log,
    chooser: chooser(script),
    now: options.now ?? (() => new Date()),
    closing: closing.signal,
  });
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const done = answer(request, response).finally(() => open.delete(done));
    open.add(done);
  });
  server.requestTimeout = 0;
  const port = await listen(server, options.port ?? 0).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= shut(server, async () => {
      closing.abort();
      await Promise.all(open);
      await log.close();
    });
    return closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: log.requests,
    unmatched: log.unmatched,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      const message = `the scripted model cannot listen on 127.0.0.1:${port}: ${taken ? "the port is in use" : error.message}`;
      reject(
        new UserError("sim/port", message, { hint: "leave the port out to get a free one", cause: error }),
      );
    });
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

async function shut(server: Server, finish: () => Promise<void>): Promise<void> {
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
  await finish();
  server.closeAllConnections();
  await stopped;
}
