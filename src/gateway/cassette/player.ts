import { setTimeout as wait } from "node:timers/promises";
import type { Replay } from "../../domain/run.ts";
import type { KeptReply } from "../../wires/cassette.ts";
import type { ModelCall, Tape, TapeReply } from "../call.ts";
import { renamed } from "./align.ts";
import type { Cassette, Exchange } from "./cassette.ts";
import { compare, type Fit, softDifferences, worse } from "./compare.ts";
import { inForm, respelledReply, writeReply } from "./reply.ts";
import { sideAnswer } from "./side-answer.ts";
import type { Heard, Listener } from "./surroundings.ts";

/** Answers a client from a cassette. */
export interface Player {
  readonly tape: Tape;
  /** How the traffic fitted so far. */
  replay(): Replay;
  /** What a reader of the run should know. */
  notes(): readonly string[];
}

export interface PlayerOptions {
  readonly listener: Listener;
  /** A result that differs is a miss. */
  readonly strict: boolean;
  /** How long a request past the end is left waiting: a client that is stopped there had no answer either. */
  readonly holdMs: number;
}

export function player(cassette: Cassette, { listener, strict, holdMs }: PlayerOptions): Player {
  const { exchanges } = cassette;
  const threads = threadBinder(exchanges);
  const used = new Set<Exchange>();
  const soft = new Set<string>();
  let names: ReadonlyMap<string, string> = new Map();
  let match: Fit["match"] = "exact";
  let difference: string | null = null;
  const drifted = new Set<string>();

  const miss = (call: ModelCall, why: string): Error => {
    difference = `request ${call.ordinal + 1}: ${why}`;
    match = "miss";
    return new Error(`replay miss at ${difference}`);
  };
  const choose = (heard: Heard): Choice | null => {
    const thread = threads.bind(heard);
    const candidates = exchanges.filter((one) => one.thread === thread && one.turns === heard.turns);
    const choices = candidates.map((exchange) => ({
      exchange,
      fit: compare(exchange.pieces, heard.pieces, names),
      fresh: !used.has(exchange),
    }));
    return choices.toSorted(byFit)[0] ?? null;
  };
  return {
    tape: {
      async answer(call, signal) {
        if (call.operation !== "answer") return sideAnswer(call);
        if (match === "miss") throw new Error(`replay miss at ${difference}`);
        const heard = listener.hear(call);
        const choice = choose(heard);
        if (choice === null) {
          await wait(holdMs, undefined, signal && { signal });
          throw miss(call, pastTheEnd(exchanges.length, heard));
        }
        const { exchange, fit } = choice;
        if (fit.match === "miss" || (strict && fit.match === "drift"))
          throw miss(call, fit.difference ?? "it differs");
        const reply = exchange.wire === call.wire ? inForm(exchange.reply, call) : null;
        if (reply === null)
          throw miss(call, "the answer was recorded in a different form than is asked for now");
        used.add(exchange);
        names = fit.names;
        match = worse(match, fit.match);
        for (const label of fit.drifted) drifted.add(`${exchange.thread} ${label}`);
        if (fit.match === "drift") difference ??= `request ${call.ordinal + 1}: ${fit.difference}`;
        for (const label of softDifferences(exchange.pieces, heard.pieces)) soft.add(label);
        return served(call, reply, (text) => heard.spelling.fromTape(renamed(text, names)));
      },
    },
    replay: () => ({
      match,
      drifts: drifted.size,
      difference,
      recordedAt: cassette.recordedAt,
      recordedVersion: cassette.header.client.version,
    }),
    notes() {
      const left = exchanges.length - used.size;
      return [
        ...[...soft].map((label) => `replay: the client's ${label} differ from the recording`),
        ...(match !== "miss" && left > 0 ? [`replay: ${left} recorded answers were never asked for`] : []),
      ];
    },
  };
}

interface Choice {
  readonly exchange: Exchange;
  readonly fit: Fit;
  readonly fresh: boolean;
}

/** The best fit, and of equal ones the first that was not given yet. */
function byFit(one: Choice, other: Choice): number {
  if (one.fit.match !== other.fit.match)
    return worse(one.fit.match, other.fit.match) === one.fit.match ? 1 : -1;
  return Number(other.fresh) - Number(one.fresh);
}

function pastTheEnd(recorded: number, { turns }: Heard): string {
  return `no request was recorded after ${turns} responses of the model in this conversation (${recorded} are on the tape)`;
}

function served(call: ModelCall, reply: KeptReply, spell: (text: string) => string): TapeReply {
  const spelled = respelledReply(reply, spell);
  const { contentType, body } = writeReply(call.wire, spelled);
  return {
    status: reply.status,
    headers: { "content-type": contentType, "x-assay-replay": "1" },
    body,
  };
}

/** Clients name each conversation anew; one is known again by the words that opened it. */
function threadBinder(exchanges: readonly Exchange[]): { bind(heard: Heard): number | null } {
  const bound = new Map<string, number>();
  const openings = new Map<number, Set<string>>();
  for (const { thread, pieces } of exchanges) {
    const opening = pieces.find(({ label }) => label === "message 1")?.text ?? "";
    openings.set(thread, (openings.get(thread) ?? new Set()).add(opening));
  }
  return {
    bind({ thread, opening }) {
      const known = bound.get(thread);
      if (known !== undefined) return known;
      const taken = new Set(bound.values());
      const free = [...openings.keys()].filter((one) => !taken.has(one));
      const fitting = free.find((one) => openings.get(one)?.has(opening) === true);
      if (fitting !== undefined) bound.set(thread, fitting);
      // Where none fits, the comparison with the first one tells what differs.
      return fitting ?? free[0] ?? null;
    },
  };
}
