import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { leftOut } from "../domain/left-out.ts";
import { listAt, textAt } from "../lib/loose.ts";
import { listedSkills } from "../wires/skill-listing.ts";
import { type Account, openAccount } from "./account.ts";
import { askService, type ServiceOutcome, type Service } from "./ask-service.ts";
import type { Budget } from "./budget.ts";
import type { ExchangeEnd, ModelCall, Tape, TapeReply } from "./call.ts";
import { mostOf, type PriceOf } from "./estimate.ts";
import { finalStatus, refuse } from "./refusal.ts";
import { relay } from "./relay.ts";
import { replyHeaders } from "./headers.ts";
import type { TrafficLog } from "./traffic.ts";

/** What a call passes on its way. */
export interface Line {
  readonly service: Service;
  readonly budget: Budget;
  readonly priceOf: PriceOf;
  readonly tape: Tape | null;
  readonly log: TrafficLog;
  /** Exchanges under way; whoever ends the trial settles them. */
  readonly live: Set<Live>;
}

export interface Live {
  /** Settles the exchange as it stands and breaks it off. */
  stop(): void;
}

/** Answers one call: from the tape, from the service, or with a refusal. Never rejects. */
export async function exchange(call: ModelCall, line: Line, response: ServerResponse): Promise<void> {
  const leaving = new AbortController();
  const account = openAccount(call, { log: line.log, clock: line.service.clock, priceOf: line.priceOf });
  const live: Live = {
    stop() {
      account.close("client-left");
      leaving.abort();
      response.destroy();
    },
  };
  line.live.add(live);
  response.once("close", () => {
    if (!response.writableFinished) leaving.abort();
  });
  try {
    noteSkills(call, line.log);
    account.close(await answer({ call, line, response, account, signal: leaving.signal }));
  } catch (error) {
    account.close(leaving.signal.aborted ? "client-left" : "cut");
    if (leaving.signal.aborted || response.headersSent) response.destroy();
    else
      refuse(response, {
        wire: call.wire,
        status: finalStatus(call.wire),
        message: messageOf(error),
        final: true,
      });
  } finally {
    line.live.delete(live);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Course {
  readonly call: ModelCall;
  readonly line: Line;
  readonly response: ServerResponse;
  readonly account: Account;
  /** Fires when the client leaves or the trial ends. */
  readonly signal: AbortSignal;
}

async function answer(course: Course): Promise<ExchangeEnd> {
  const { call, line, account, signal } = course;
  const taped = (await line.tape?.answer?.(call, signal)) ?? null;
  if (taped !== null) return play(taped, course);
  if (call.operation === "answer" && line.budget.limited && !(await reserve(course))) return "refused";
  const watch = {
    sent: (attempt: number) => account.sent(attempt),
    failed: (status: number | null) => line.log.failed(status ?? "network"),
  };
  const asked = await askService(call, line.service, { watch, signal });
  if (asked.kind !== "reply") return fail(asked, course);
  account.admitted(asked.permit);
  const observer = line.tape?.observe?.(call);
  if (observer !== undefined) account.observed(observer);
  account.head(asked.reply.status, asked.reply.headers);
  await relay(asked.reply, course.response, {
    tap: (chunk) => account.chunk(chunk),
    idleMs: line.service.patience.idleMs,
    signal,
  });
  return "complete";
}

async function play(taped: TapeReply, { response, account, signal }: Course): Promise<ExchangeEnd> {
  account.replayed();
  account.head(taped.status, taped.headers);
  const body = Readable.from(Buffer.isBuffer(taped.body) ? [taped.body] : taped.body, { objectMode: false });
  await relay({ status: taped.status, headers: { ...taped.headers }, body }, response, {
    tap: (chunk) => account.chunk(chunk),
    idleMs: TAPE_IDLE_MS,
    signal,
  });
  return "complete";
}

/** A tape may keep to the recorded time, but not stop for ever. */
const TAPE_IDLE_MS = 10 * 60_000;

/** False after the client was told that the budget forbids it. */
async function reserve({ call, line, response, account, signal }: Course): Promise<boolean> {
  const { budget, priceOf, log } = line;
  const most = mostOf(call, priceOf);
  const held =
    budget.countsMoney && most.costUsd === null
      ? { refused: unpriced(call.model) }
      : await budget.reserve({ tokens: most.tokens, costUsd: most.costUsd ?? 0 }, signal);
  if (!("refused" in held)) {
    account.reserved(held);
    return true;
  }
  log.stop(leftOut("budget", held.refused));
  const message = `${held.refused} (spending limit)`;
  await deliver(response, () =>
    refuse(response, { wire: call.wire, status: finalStatus(call.wire), message, final: true }),
  );
  return false;
}

export function unpriced(model: string): string {
  return `no price is known for the model ${JSON.stringify(model)}, so a cost budget (--max-cost) cannot be enforced`;
}

async function fail(asked: Exclude<ServiceOutcome, { kind: "reply" }>, course: Course): Promise<ExchangeEnd> {
  const { call, line, response, account } = course;
  const { wire } = call;
  if (asked.kind === "unreachable") {
    const { status, message, received } = asked;
    await deliver(response, () => refuse(response, { wire, status, message }));
    return received ? "cut" : "failed";
  }
  account.head(asked.status, asked.headers);
  const { reason } = asked.failure;
  const message = `the model service ${line.service.upstream.name} answered ${asked.failure.message}`;
  if (reason === "budget" || reason === "auth" || (asked.final && reason === "rate-limit"))
    line.log.stop(leftOut(reason, message));
  if (asked.final) {
    await deliver(response, () =>
      refuse(response, { wire, status: finalStatus(wire), message, final: true, reason }),
    );
    return "failed";
  }
  const { "content-length": _, "content-encoding": __, ...headers } = replyHeaders(asked.headers);
  await deliver(response, () => {
    response.writeHead(asked.status, headers);
    response.end(asked.text);
  });
  return "failed";
}

async function deliver(response: ServerResponse, write: () => void): Promise<void> {
  write();
  if (!response.writableFinished && !response.destroyed) await once(response, "close");
}

/** The listing is in the first real request; a client's side requests, such as the one for a title, have no tools. */
function noteSkills(call: ModelCall, log: TrafficLog): void {
  const { operation, ordinal, wire } = call;
  if (operation !== "answer" || log.knowsSkills || ordinal >= MOST_LOOKS) return;
  const body = call.json();
  const skills = listedSkills(wire, body);
  if (skills.length > 0 || offersTools(body)) log.offered(skills);
}

/** Codex gives some models their tools as an entry of the conversation. */
function offersTools(body: unknown): boolean {
  return (
    listAt(body, "tools").length > 0 ||
    listAt(body, "input").some((entry) => textAt(entry, "type") === "additional_tools")
  );
}

/** No client makes more side requests first; a judge, which lists nothing, is not looked at for ever. */
const MOST_LOOKS = 8;
