import type { JsonObject } from "../../domain/json.ts";
import type { Trial } from "../../domain/trial.ts";
import { UserError } from "../../domain/user-error.ts";
import type { BudgetOptions } from "../../gateway/budget.ts";
import type { CassetteHeader } from "../../gateway/cassette/cassette.ts";
import type { Tape } from "../../gateway/call.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { PriceOf } from "../../gateway/estimate.ts";
import type { TrialPort } from "../../gateway/trials.ts";
import type { Connection } from "../../iteration/work.ts";
import type { Machine } from "../../machine.ts";
import type { OpenCassettes } from "./cassettes.ts";
import type { Logins } from "../logins/access.ts";
import { loginOf, loginUpstreams } from "../logins/upstreams.ts";
import { openLedger } from "./ledger.ts";
import { REPLAYED, upstreamsOf } from "./upstreams.ts";

export interface ServiceOptions {
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
}

/** Where a limited run keeps account, so that a resumed one keeps to the same cap. */
interface Account {
  readonly path: string;
  readonly resume: boolean;
}

/** The way of agents and judges to model services: one gateway for all, or none where no service is configured. */
export interface Services extends AsyncDisposable {
  readonly gateway: Gateway | null;
  readonly priceOf: PriceOf;
  /** Which price table that is; null without any. */
  readonly prices: JsonObject | null;
  /** The services there are, by name. */
  readonly providers: readonly string[];
  /** For one trial; null: the client finds its own way, and what passes is unknown. */
  readonly connect: (trial: Trial, asked: TrialAsk) => Promise<Connection> | null;
  /** For questions to judges; null: nothing is recorded. */
  readonly judgeTape: Tape | null;
}

interface TrialAsk {
  readonly harness: string;
  readonly model: string | null;
  /** What a recording of the trial depends on. */
  readonly header: () => CassetteHeader;
}

interface Given {
  readonly account?: Account | null;
  readonly cassettes?: OpenCassettes | null;
  readonly logins: Logins;
}

export async function openServices(
  options: ServiceOptions,
  machine: Machine,
  { account = null, cassettes = null, logins }: Given,
): Promise<Services> {
  const replay = cassettes?.mode === "replay";
  const keyed = replay ? REPLAYED : upstreamsOf(machine);
  const loggedIn = replay ? [] : loginUpstreams(logins);
  const upstreams = [...keyed, ...loggedIn];
  const limited = options.maxCostUsd !== null || options.maxTokens !== null;
  if (upstreams.length === 0) {
    if (limited) {
      throw new UserError(
        "run/unmetered-budget",
        "a budget was set, but no model service is configured whose traffic could be counted",
        {
          hint: "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or log in to claude or codex",
        },
      );
    }
    return NO_SERVICES;
  }
  const [{ startGateway }, { loadPrices }] = await Promise.all([
    import("../../gateway/gateway.ts"),
    import("../../providers/prices.ts"),
  ]);
  const prices = await loadPrices(machine.now());
  const priceOf: PriceOf = (model, usage) => prices.priceOf(model, usage);
  const gateway = await startGateway({
    upstreams,
    priceOf,
    budget: budgetOf(options, limited ? account : null),
  });
  const open = async (
    trial: Trial,
    { model, header, upstream }: TrialAsk & { readonly upstream: string | null },
  ): Promise<Connection> => {
    const tape = cassettes === null ? null : await cassettes.tapes.trial(header());
    const port = gateway.open({ trial: trial.id, model, upstream, tape: tape?.tape ?? null });
    return tape === null ? connectionOf(port) : { ...connectionOf(port), tape };
  };
  return {
    gateway,
    priceOf,
    prices: prices.snapshot,
    providers: keyed.map(({ name }) => name),
    judgeTape: cassettes?.tapes.judges ?? null,
    connect(trial, asked) {
      const own = loginOf(asked.harness);
      const upstream = loggedIn.find(({ name }) => name === own)?.name ?? null;
      if (upstream === null && keyed.length === 0) return null;
      return open(trial, { ...asked, upstream });
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await cassettes?.tapes.judges.settled();
    },
  };
}

const NO_SERVICES: Services = {
  gateway: null,
  priceOf: () => null,
  prices: null,
  providers: [],
  judgeTape: null,
  connect: () => null,
  [Symbol.asyncDispose]: async () => {},
};

/** One trial's way as the runner of the trial sees it. */
export function connectionOf(port: TrialPort): Connection {
  return {
    endpoint: port.endpoint,
    traffic: () => {
      const { skillsOffered, stopped, usage, exchanges } = port.traffic();
      return {
        skillsOffered: skillsOffered === null ? null : skillsOffered.map((skill) => skill.name),
        stopped,
        usage: exchanges.length === 0 ? null : usage,
      };
    },
    [Symbol.asyncDispose]: async () => void port.close(),
  };
}

function budgetOf({ maxCostUsd, maxTokens }: ServiceOptions, account: Account | null): BudgetOptions {
  if (account === null) return { maxCostUsd, maxTokens };
  const { before, onChange } = openLedger(account.path, account.resume);
  return { maxCostUsd, maxTokens, onChange, ...(before === null ? {} : { before }) };
}
