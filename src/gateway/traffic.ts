import { type LeftOut, UNKNOWN_USAGE, type Usage } from "../domain/run.ts";
import { sumUsage } from "../domain/usage.ts";
import type { WireName } from "../wires/index.ts";
import type { ListedSkill } from "../wires/skill-listing.ts";
import type { ExchangeEnd } from "./call.ts";
import type { Replies } from "./replies.ts";

/** What one trial asked of model services and what came back. */
export interface TrialTraffic {
  readonly trial: string;
  /** Calls that make a model speak, in the order in which they ended. */
  readonly exchanges: readonly ExchangeRecord[];
  /** The same by model. */
  readonly models: Readonly<Record<string, ModelTraffic>>;
  /** Of all models together; the cost is null when one of them has no known price. */
  readonly usage: Usage;
  /** Answers whose tokens nobody told, so that `usage` is too small by them. */
  readonly unmetered: number;
  /** Answers that came from a tape: part of `usage`, but nobody was paid. */
  readonly replayed: number;
  /** The skills that the first request with tools or with a listing offered to the model; null when none was seen. */
  readonly skillsOffered: readonly ListedSkill[] | null;
  /** Every text that models sent, ids and names too; null: they were not kept, or too much. */
  readonly said: readonly string[] | null;
  /** Failures by status; `network` for what had none, `in-stream` for what began well. A refusal that a retry at the gateway got over counts too. */
  readonly errors: Readonly<Record<string, number>>;
  /** Hosts that it tried to connect to and is not allowed. */
  readonly refusedHosts: readonly string[];
  /** Why this trial cannot go on, in the words of a run's outcome; the first reason holds. */
  readonly stopped: Stopped | null;
}

interface ModelTraffic {
  readonly requests: number;
  readonly usage: Usage;
}

type Stopped = LeftOut<"budget" | "rate-limit" | "auth">;

/** One call, metered. */
interface ExchangeRecord {
  readonly model: string;
  readonly wire: WireName;
  readonly stream: boolean;
  /** Null when there was none. */
  readonly status: number | null;
  readonly end: ExchangeEnd;
  /** Null when the reply did not say. */
  readonly usage: Usage | null;
  /** Held back by budget, limits and back-off before it was sent for the last time. */
  readonly heldMs: number;
  /** From that sending to the first words of a streamed answer. */
  readonly firstTokenMs: number | null;
  /** From that sending to the end. */
  readonly durationMs: number;
  /** How often it was sent. */
  readonly attempts: number;
  readonly replayed: boolean;
}

export interface TrafficLog {
  add(record: ExchangeRecord): void;
  /** Null: nobody will ask what models said. */
  readonly replies: Replies | null;
  offered(skills: readonly ListedSkill[]): void;
  /** The first listing was read already. */
  readonly knowsSkills: boolean;
  failed(where: number | "network" | "in-stream"): void;
  stop(reason: Stopped): void;
  refusedHost(host: string): void;
  soFar(): TrialTraffic;
}

export function trafficLog(trial: string, replies: Replies | null = null): TrafficLog {
  const exchanges: ExchangeRecord[] = [];
  const errors: Record<string, number> = {};
  let skillsOffered: readonly ListedSkill[] | null = null;
  let stopped: Stopped | null = null;
  const refusedHosts = new Set<string>();
  return {
    add(record) {
      exchanges.push(record);
    },
    replies,
    offered(skills) {
      skillsOffered ??= skills;
    },
    get knowsSkills() {
      return skillsOffered !== null;
    },
    failed(where) {
      errors[where] = (errors[where] ?? 0) + 1;
    },
    stop(reason) {
      stopped ??= reason;
    },
    refusedHost(host) {
      if (refusedHosts.size < MOST_HOSTS) refusedHosts.add(host);
    },
    soFar() {
      return {
        trial,
        exchanges: [...exchanges],
        models: byModel(exchanges),
        usage: total(exchanges),
        unmetered: exchanges.filter((record) => record.usage === null && wasAnswered(record)).length,
        replayed: exchanges.filter((record) => record.replayed).length,
        skillsOffered,
        said: replies?.texts() ?? null,
        errors: { ...errors },
        refusedHosts: [...refusedHosts],
        stopped,
      };
    },
  };
}

const MOST_HOSTS = 50;

function byModel(exchanges: readonly ExchangeRecord[]): Readonly<Record<string, ModelTraffic>> {
  const names = [...new Set(exchanges.map((record) => record.model))];
  return Object.fromEntries(
    names.map((name) => {
      const records = exchanges.filter((record) => record.model === name);
      return [name, { requests: records.length, usage: total(records) }];
    }),
  );
}

function wasAnswered({ attempts, replayed, status, end }: ExchangeRecord): boolean {
  if (end === "complete") return status !== null && status < 400;
  return (end === "cut" || end === "client-left") && attempts > 0 && !replayed;
}

function total(records: readonly ExchangeRecord[]): Usage {
  const usages = records.flatMap((record) => (record.usage === null ? [] : [record.usage]));
  if (usages.length === 0) return UNKNOWN_USAGE;
  const unpriced = usages.some((usage) => usage.costUsd === null);
  return { ...sumUsage(usages), ...(unpriced ? { costUsd: null } : {}) };
}
