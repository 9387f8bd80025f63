import { UserError } from "../domain/user-error.ts";
import type { Tape } from "./call.ts";
import type { Live } from "./exchange.ts";
import { keepReplies } from "./replies.ts";
import { type TrafficLog, trafficLog, type TrialTraffic } from "./traffic.ts";

export interface OpenOptions {
  /** Whatever names it to people; need not be fit for addresses. */
  readonly trial: string;
  /** The model that will be asked, where it is known; one without a price is refused here when money is limited. */
  readonly model?: string | null;
  /** The service by name, when several speak the client's dialect; otherwise the first that does. */
  readonly upstream?: string | null;
  readonly tape?: Tape | null;
  /** Hosts with their ports that it may connect to beside the services; absent: none. */
  readonly hosts?: readonly string[];
  /** Keep what models say; absent: no. */
  readonly keepReplies?: boolean;
}

/** One trial's way to the models. */
export interface TrialPort {
  /** For the client's configuration. The token opens this trial and nothing else. */
  readonly endpoint: { readonly baseUrl: string; readonly token: string };
  /** The address of a proxy to its hosts, with the token in it; null: it has none. */
  readonly proxy: string | null;
  /** So far. */
  traffic(): TrialTraffic;
  /** Breaks off what is under way, makes the token worthless and answers what passed in all. */
  close(): TrialTraffic;
}

/** A trial while it is open, as the gateway sees it. */
export interface OpenTrial {
  readonly name: string;
  readonly path: string;
  readonly endpoint: TrialPort["endpoint"];
  readonly upstream: string | null;
  readonly tape: Tape | null;
  readonly hosts: readonly string[];
  readonly log: TrafficLog;
  readonly live: Set<Live>;
  nextOrdinal(): number;
}

export interface Trials {
  open(options: OpenOptions): TrialPort;
  /** The trial that a token opens at a path; a sentence when it opens none. */
  find(token: string | null, path: string | null): OpenTrial | { readonly refused: string };
  closeAll(): void;
}

/** `secret` makes what nobody can guess. */
export function openTrials(parts: { readonly url: string; readonly secret: () => string }): Trials {
  const byToken = new Map<string, OpenTrial>();
  let serial = 0;
  const closeTrial = (trial: OpenTrial): void => {
    byToken.delete(trial.endpoint.token);
    for (const live of trial.live) live.stop();
    trial.live.clear();
  };
  return {
    open({ trial: name, upstream = null, tape = null, hosts = [], keepReplies: keeps = false }) {
      const path = `t${String(++serial).padStart(6, "0")}`;
      let calls = 0;
      const trial: OpenTrial = {
        name,
        path,
        endpoint: { baseUrl: `${parts.url}/r/${path}`, token: `assay-${parts.secret()}` },
        upstream,
        tape,
        hosts,
        log: trafficLog(name, keeps ? keepReplies() : null),
        live: new Set(),
        nextOrdinal: () => calls++,
      };
      byToken.set(trial.endpoint.token, trial);
      return {
        endpoint: trial.endpoint,
        proxy: hosts.length === 0 ? null : parts.url.replace("//", `//assay:${trial.endpoint.token}@`),
        traffic: () => trial.log.soFar(),
        close() {
          closeTrial(trial);
          return trial.log.soFar();
        },
      };
    },
    find(token, path) {
      if (token === null) return { refused: "the request has no token; use the one given for this trial" };
      const trial = byToken.get(token);
      if (trial === undefined) return { refused: "the token does not belong to an open trial" };
      if (path !== null && path !== trial.path)
        return { refused: "the token belongs to another trial than this address" };
      return trial;
    },
    closeAll() {
      for (const trial of byToken.values()) closeTrial(trial);
    },
  };
}

/** Throws a UserError when the name is not that of a service. */
export function checkUpstreamName(name: string | null | undefined, known: readonly string[]): void {
  if (name === null || name === undefined || known.includes(name)) return;
  throw new UserError("gateway/unknown-service", `there is no model service called ${JSON.stringify(name)}`, {
    hint: `one of ${known.join(", ")}`,
  });
}
