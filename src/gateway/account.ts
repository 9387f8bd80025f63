import type { IncomingHttpHeaders } from "node:http";
import { NOTHING_METERED } from "../wires/usage.ts";
import { failureOfError } from "../providers/failure.ts";
import { NOTHING_SPENT, type Reservation } from "./budget.ts";
import type { ExchangeEnd, ModelCall, Observer } from "./call.ts";
import { type PriceOf, spentOn } from "./estimate.ts";
import type { Clock, Permit, ServiceSaid } from "./limiter.ts";
import { type ReadSoFar, type ReplyReader, replyReader } from "./reply-reader.ts";
import type { PassingReply } from "./replies.ts";
import type { TrafficLog } from "./traffic.ts";

/** The books of one exchange: what it holds, what passed, and the one moment when all of it is settled. What is handed in after that goes straight back. */
export interface Account {
  reserved(reservation: Reservation): void;
  sent(attempt: number): void;
  admitted(permit: Permit): void;
  observed(observer: Observer): void;
  head(status: number, headers: IncomingHttpHeaders): void;
  chunk(bytes: Buffer): void;
  /** A tape answers: no money is spent. */
  replayed(): void;
  /** Settles everything; later calls change nothing. */
  close(end: ExchangeEnd): void;
}

export interface AccountParts {
  readonly log: TrafficLog;
  readonly clock: Clock;
  readonly priceOf: PriceOf;
}

export function openAccount(call: ModelCall, { log, clock, priceOf }: AccountParts): Account {
  const openedAt = clock.now();
  let sentAt = openedAt;
  let firstTokenAt: number | null = null;
  let attempts = 0;
  let status: number | null = null;
  let fromTape = false;
  let open = true;
  let reader: ReplyReader | null = null;
  let reservation: Reservation | null = null;
  let permit: Permit | null = null;
  let observer: Observer | null = null;
  let passing: PassingReply | null = null;

  const settle = (end: ExchangeEnd): void => {
    const { metered, error, bytes } = reader?.read() ?? NOTHING_READ;
    const model = call.model === "" ? (metered.model ?? "") : call.model;
    const usage =
      metered.usage === null ? null : { ...metered.usage, costUsd: priceOf(model, metered.usage) };
    permit?.release(loadTold(end, error));
    if (reservation !== null) {
      const complete = end === "complete";
      const asked = attempts > 0 && end !== "refused" && end !== "failed";
      const reply = { usage, complete, bytes };
      reservation.settle(asked ? spentOn(call, reply, { most: reservation.most, priceOf }) : NOTHING_SPENT);
    }
    if (error !== null) log.failed("in-stream");
    passing?.end();
    log.add({
      model,
      wire: call.wire,
      stream: call.stream,
      status,
      end,
      usage,
      heldMs: sentAt - openedAt,
      firstTokenMs: firstTokenAt === null ? null : firstTokenAt - sentAt,
      durationMs: clock.now() - sentAt,
      attempts,
      replayed: fromTape,
    });
  };

  return {
    reserved(held) {
      reservation = held;
      if (!open) held.settle(NOTHING_SPENT);
    },
    sent(attempt) {
      attempts = attempt;
      sentAt = clock.now();
    },
    admitted(place) {
      permit = place;
      if (!open) place.release({ kind: "nothing" });
    },
    observed(watcher) {
      observer = watcher;
    },
    replayed() {
      fromTape = true;
    },
    head(code, headers) {
      status = code;
      if (code < 400) {
        reader = replyReader(call.wire, headers["content-type"]);
        passing = log.replies?.open(call.wire, headers["content-type"] ?? "") ?? null;
      }
      observer?.head(code, headers);
    },
    chunk(bytes) {
      if (!open) return;
      reader?.push(bytes);
      passing?.push(bytes);
      if (firstTokenAt === null && reader?.speaking === true) firstTokenAt = clock.now();
      observer?.chunk(bytes);
    },
    close(end) {
      if (!open) return;
      open = false;
      if (call.operation === "answer") settle(end);
      else permit?.release({ kind: "nothing" });
      observer?.end(end);
    },
  };
}

const NOTHING_READ: ReadSoFar = { metered: NOTHING_METERED, error: null, bytes: 0 };

function loadTold(end: ExchangeEnd, error: { code: string; message: string } | null): ServiceSaid {
  if (error !== null) {
    const busy = failureOfError(error).reason === "rate-limit" || /overloaded/i.test(error.code);
    return busy ? { kind: "limited", retryAfterMs: null } : { kind: "failing" };
  }
  if (end === "complete") return { kind: "fine" };
  return { kind: end === "cut" ? "failing" : "nothing" };
}
