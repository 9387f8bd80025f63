import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WIRE_NAMES } from "../wires/index.ts";
import type { Clock } from "./limiter.ts";
import { type GatewayOptions, startGateway } from "./gateway.ts";
import type { Upstream } from "./upstream.ts";

/** For tests: the key that no client may ever see. */
export const REAL_KEY = "sk-real-0123456789abcdef";

/** For tests: one service for all dialects at an address. */
export function upstreamAt(baseUrl: string, changes: Partial<Upstream> = {}): Upstream {
  return {
    name: "upstream",
    wires: WIRE_NAMES,
    baseUrl,
    key: REAL_KEY,
    keyHeader: "x-api-key",
    ...changes,
  };
}

/** For tests: a gateway before a service at an address, with one open trial. */
export async function gatewayTo(baseUrl: string, options: Partial<GatewayOptions> = {}) {
  const gateway = await startGateway({ upstreams: [upstreamAt(baseUrl)], ...options });
  const trial = gateway.open({ trial: "case-1/with_skill/run-1" });
  return {
    gateway,
    trial,
    url: trial.endpoint.baseUrl,
    headers: { authorization: `Bearer ${trial.endpoint.token}`, "content-type": "application/json" },
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}

/** For tests: a plain HTTP service. */
export async function rawService(listener: RequestListener) {
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    open.add(response);
    response.once("close", () => open.delete(response));
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Replies that have not ended. */
    open,
    async [Symbol.asyncDispose]() {
      const stopped = once(server, "close");
      server.close();
      server.closeAllConnections();
      await stopped;
    },
  };
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** For tests: time that passes when it is told to. */
export function fakeClock(): Clock & { advance(ms: number): Promise<void> } {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
  };
}
