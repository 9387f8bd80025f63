import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { UNKNOWN_USAGE } from "../domain/run.ts";
import { UserError } from "../domain/user-error.ts";
import { GATEWAY_SAYS } from "../providers/gateway-words.ts";
import { DEFAULT_PATIENCE, type ServicePatience, type Service } from "./ask-service.ts";
import {
  type Budget,
  type BudgetOptions,
  type BudgetSnapshot,
  createBudget,
  type PassedCap,
  type Spent,
} from "./budget.ts";
import { realClock } from "./clock.ts";
import type { PriceOf } from "./estimate.ts";
import { unpriced } from "./exchange.ts";
import { type FaultInjector, withFaults } from "./faults.ts";
import { adaptiveLimiter, type Clock, type LimiterOptions, type LimiterSnapshot } from "./limiter.ts";
import { serve } from "./serve.ts";
import { httpTransport } from "./transport.ts";
import { tunnel } from "./tunnel.ts";
import { checkUpstreamName, type OpenOptions, openTrials, type TrialPort } from "./trials.ts";
import { checkUpstreams, type Upstream } from "./upstream.ts";

/** A proxy on loopback between agents or judges and model services. It holds the real keys; its clients never see them. */
export interface Gateway extends AsyncDisposable {
  readonly port: number;
  /** Throws a UserError when money is limited and the model has no known price, or when there is no such service. */
  open(options: OpenOptions): TrialPort;
  /** Serves a connection that came another way than through its port. */
  accept(socket: Socket): void;
  /** One for each service, by name. */
  limits(): Readonly<Record<string, LimiterSnapshot>>;
  budget(): BudgetSnapshot;
  /** Another cap in the place of one that was set from the start. */
  limitBudget(...caps: Parameters<Budget["limit"]>): void;
  /** Counts what a trial spent past the gateway. */
  charge(spent: Spent): void;
  /** The cap that so much more would pass; null: it fits. */
  passedCap(more: Spent): PassedCap | null;
  /** Breaks off everything; all is released when it resolves. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  /** Where several speak a dialect, the first serves trials that name none. */
  readonly upstreams: readonly Upstream[];
  /** Left out: nothing has a known price. */
  readonly priceOf?: PriceOf;
  /** Left out: no limit. */
  readonly budget?: BudgetOptions;
  readonly limits?: Partial<LimiterOptions>;
  readonly patience?: Partial<ServicePatience>;
  /** 0 or none: any free port. */
  readonly port?: number;
  /** For tests. */
  readonly faults?: FaultInjector;
  readonly clock?: Clock;
  readonly random?: () => number;
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { upstreams, priceOf = () => null } = options;
  checkUpstreams(upstreams);
  const transport = httpTransport();
  const budget = createBudget(options.budget ?? { maxCostUsd: null, maxTokens: null });
  const services = toServices(options, transport.send);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS });
  server.requestTimeout = 0;
  server.on("clientError", sayMalformed);
  const port = await listen(server, options.port ?? 0);
  const trials = openTrials({
    url: `http://127.0.0.1:${port}`,
    secret: () => randomBytes(16).toString("hex"),
  });
  server.on("request", (request, response) => {
    void serve(request, response, { trials, services, budget, priceOf });
  });
  server.on("connect", (request, client, head) => tunnel(request, client, { head, trials }));
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      trials.closeAll();
      server.closeAllConnections();
      transport.close();
    });
    return closed;
  };
  return {
    port,
    open(request) {
      checkUpstreamName(
        request.upstream,
        upstreams.map(({ name }) => name),
      );
      checkPrice(request.model ?? null, { counted: budget.countsMoney, priceOf });
      return trials.open(request);
    },
    accept: (socket) => void server.emit("connection", socket),
    limits: () =>
      Object.fromEntries(services.map(({ upstream, limiter }) => [upstream.name, limiter.snapshot()])),
    budget: () => budget.snapshot(),
    limitBudget: (caps) => budget.limit(caps),
    charge: (spent) => budget.charge(spent),
    passedCap: (more) => budget.passed(more),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Clients put long descriptions of themselves into headers. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Longer than agents are silent between two requests, so that no connection is closed just as it is used. */
const KEEP_ALIVE_MS = 10 * 60_000;

function toServices(options: GatewayOptions, send: Service["send"]): readonly Service[] {
  const clock = options.clock ?? realClock;
  return options.upstreams.map((upstream) => ({
    upstream,
    clock,
    limiter: adaptiveLimiter(clock, options.limits),
    send: options.faults === undefined ? send : withFaults(send, options.faults),
    random: options.random ?? Math.random,
    patience: { ...DEFAULT_PATIENCE, ...options.patience },
  }));
}

function checkPrice(
  model: string | null,
  { counted, priceOf }: { counted: boolean; priceOf: PriceOf },
): void {
  if (model === null || !counted) return;
  if (priceOf(model, { ...UNKNOWN_USAGE, inputTokens: 1000, outputTokens: 1000 }) !== null) return;
  throw new UserError("gateway/unknown-price", unpriced(model), {
    hint: "limit tokens instead (--max-tokens), or name a model whose price is known",
  });
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const cause = error.code === "EADDRINUSE" ? "the port is in use" : error.message;
      const message = `the gateway cannot listen on 127.0.0.1:${port}: ${cause}`;
      reject(
        new UserError("gateway/port", message, {
          hint: "leave the port out to get a free one",
          cause: error,
        }),
      );
    });
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** What is no HTTP, or has headers without end, gets a sentence before the connection is closed. */
function sayMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const message = tooLarge
    ? `the headers are longer than ${MAX_HEADER_BYTES} bytes`
    : `this is not HTTP: ${error.message}`;
  const body = JSON.stringify({ error: { message: `${GATEWAY_SAYS}${message}` } });
  const head = [
    `HTTP/1.1 ${tooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request"}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
