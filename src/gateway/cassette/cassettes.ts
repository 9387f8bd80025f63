import { leftOut } from "../../domain/left-out.ts";
import { countsAs, type Outcome, type Replay } from "../../domain/run.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { WIRE_NAMES } from "../../wires/index.ts";
import type { Tape } from "../call.ts";
import type { Upstream } from "../upstream.ts";
import { type CassetteHeader, changedInputs } from "./cassette.ts";
import { type JudgeTape, judgeTape } from "./judge-tape.ts";
import { player } from "./player.ts";
import { recorder } from "./recorder.ts";
import { cassettePath, loadCassette, saveCassette } from "./store.ts";
import { listener, type Whereabouts } from "./surroundings.ts";

export interface TapeOptions {
  readonly folder: string;
  /** `auto` replays what fits and records the rest anew, a whole run at a time. */
  readonly mode: "record" | "replay" | "auto";
  /** A tool's result that differs is a miss. */
  readonly strict?: boolean;
  readonly mask: SecretMask;
  readonly now: () => Date;
  /** How long a request past the end of a recording waits; default 2 s. */
  readonly holdMs?: number;
}

/** Recorded model traffic on disk. */
export interface Cassettes {
  /** For one attempt at a trial. */
  trial(header: CassetteHeader): Promise<TrialTape>;
  /** For all questions to judges. */
  readonly judges: JudgeTape;
}

interface TrialTape {
  /** For `gateway.open`. */
  readonly tape: Tape;
  /** Why there is nothing to replay, so that the client need not be started; null: start it. */
  readonly refusal: string | null;
  /** To be told before the client starts. */
  readonly placed: (where: Whereabouts) => void;
  /** To be called once, when the trial has ended as `outcome` says. */
  finish(outcome: Outcome): Promise<Finished>;
}

export interface Finished {
  /** A replay that missed has no other outcome than `invalid`. */
  readonly outcome: Outcome;
  readonly replay: Replay | null;
  readonly notes: readonly string[];
  /** The next attempt will be recorded, so it is worth making. */
  readonly again: boolean;
}

/** How a miss is told to people; `Replay.match` says it to code. */
const REPLAY_MISS = "replay miss: ";

export function openCassettes(options: TapeOptions): Cassettes {
  const stale = new Set<string>();
  return {
    judges: judgeTape(options),
    async trial(header) {
      const { folder, mode } = options;
      const path = cassettePath(folder, header);
      if (mode === "record" || stale.has(path)) return recording(header, options);
      const cassette = await loadCassette(folder, header);
      const changed = cassette === null ? null : changedInputs(cassette.header, header);
      if (cassette === null || changed !== null) {
        if (mode === "auto") return recording(header, options);
        return refused(changed ?? `nothing was recorded for it (${path})`, cassette);
      }
      const ears = listener(options.mask);
      const { strict = false, holdMs = 2000 } = options;
      const played = player(cassette, { listener: ears, strict, holdMs });
      return {
        tape: played.tape,
        refusal: null,
        placed: ears.placed,
        async finish(outcome) {
          const replay = played.replay();
          const notes = [...played.notes(), ...otherVersion(cassette.header, header)];
          if (replay.match !== "miss") return { outcome, replay, notes, again: false };
          stale.add(path);
          return { ...missed(replay), notes, again: mode === "auto" };
        },
      };
    },
  };
}

function recording(header: CassetteHeader, { folder, mask, now }: TapeOptions): TrialTape {
  const ears = listener(mask);
  const recorded = recorder(ears);
  return {
    tape: recorded.tape,
    refusal: null,
    placed: ears.placed,
    async finish(outcome) {
      const kept = recorded.exchanges();
      const worth = countsAs(outcome) !== "left-out" && outcome.status !== "timed-out" && kept.length > 0;
      if (worth) await saveCassette(folder, { header, recordedAt: now().toISOString(), exchanges: kept });
      const notes = worth ? [] : ["nothing was recorded: the run had no result"];
      return { outcome, replay: null, notes, again: false };
    },
  };
}

/** Nothing that a client asks is answered, and nothing is sent anywhere. */
function refused(why: string, recorded: { recordedAt: string; header: CassetteHeader } | null): TrialTape {
  const replay: Replay = {
    match: "miss",
    drifts: 0,
    difference: why,
    recordedAt: recorded?.recordedAt ?? null,
    recordedVersion: recorded?.header.client.version ?? null,
  };
  return {
    tape: { answer: () => Promise.reject(new Error(REPLAY_MISS + why)) },
    refusal: REPLAY_MISS + why,
    placed() {},
    finish: async () => ({ ...missed(replay), notes: [], again: false }),
  };
}

function missed(replay: Replay): Pick<Finished, "outcome" | "replay"> {
  return { outcome: leftOut("invalid", `${REPLAY_MISS}${replay.difference ?? "it differs"}`), replay };
}

function otherVersion(recorded: CassetteHeader, now: CassetteHeader): readonly string[] {
  const [then, today] = [recorded.client.version ?? "unknown", now.client.version ?? "unknown"];
  return then === today ? [] : [`replay: recorded with ${now.client.name} ${then}, replayed with ${today}`];
}

/** Stands for every model service where all is replayed; nothing is ever sent to it. */
export const NO_SERVICE: Upstream = {
  name: "cassettes",
  wires: WIRE_NAMES,
  baseUrl: "http://127.0.0.1:9",
  key: null,
  keyHeader: "authorization",
};
