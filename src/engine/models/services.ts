import type { JsonObject } from "../../domain/json.ts";
import { leftOut } from "../../domain/left-out.ts";
import type { LeftOut } from "../../domain/run.ts";
import type { Trial } from "../../domain/trial.ts";
import { UserError } from "../../domain/user-error.ts";
import type { BudgetOptions } from "../../gateway/budget.ts";
import type { Tape } from "../../gateway/call.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { PriceOf } from "../../gateway/estimate.ts";
import type { TrialTraffic } from "../../gateway/traffic.ts";
import type { TrialPort } from "../../gateway/trials.ts";
import type { ConnectionAsk } from "../../iteration/iterate.ts";
import type { Connection } from "../../iteration/work.ts";
import type { Machine } from "../../machine.ts";
import type { OpenCassettes } from "./cassettes.ts";
import type { Logins } from "../logins/access.ts";
import { loginOf, loginUpstreams } from "../logins/upstreams.ts";
import { openLedger } from "./ledger.ts";
import { REPLAYED, upstreamsOf } from "./upstreams.ts";
import { type GatewayCell, gatewayCell } from "./gateway-cell.ts";
import { unseenSpending } from "./unseen-spending.ts";

export interface ServicesOptions {
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
  /** Where a service is; null: not known, as that of a program that has its own. */
  readonly addressOf: (provider: string) => string | null;
  /** For one trial; null: the client finds its own way, and what passes is unknown. */
  readonly connect: (trial: Trial, asked: ConnectionAsk) => Promise<Connection> | null;
  /** For questions to judges; null: nothing is recorded. */
  readonly judgeTape: Tape | null;
}

interface Given {
  readonly account?: Account | null;
  readonly cassettes?: OpenCassettes | null;
  readonly logins: Logins;
}

export async function openServices(
  options: ServicesOptions,
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
        "a budget was set, but no model service is configured, so spending cannot be counted",
        {
          hint: "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or log in to claude or codex",
        },
      );
    }
    return withoutServices();
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
  const cell = gatewayCell(gateway);
  const unseen = unseenSpending(gateway);
  const accounted = (connection: Connection): Connection => {
    if (!limited) return connection;
    const refused = unseen.begin();
    return { ...connection, refused, ...(refused === null && { ended: (usage) => unseen.end(usage) }) };
  };
  const open = async (
    trial: Trial,
    { model, hosts, header, upstream }: ConnectionAsk & { readonly upstream: string | null },
  ): Promise<Connection> => {
    const tape = cassettes === null ? null : await cassettes.tapes.trial(header());
    const port = gateway.open({
      trial: trial.id,
      model,
      upstream,
      tape: tape?.tape ?? null,
      hosts,
      keepReplies: true,
    });
    const connection = accounted({ ...connectionOf(port), cell: cell.open });
    return tape === null ? connection : { ...connection, tape };
  };
  return {
    gateway,
    priceOf,
    prices: prices.snapshot,
    providers: keyed.map(({ name }) => name),
    addressOf: (provider) => upstreams.find(({ name }) => name === provider)?.baseUrl ?? null,
    judgeTape: cassettes?.tapes.judges ?? null,
    connect(trial, asked) {
      const own = loginOf(asked.harness);
      const upstream = loggedIn.find(({ name }) => name === own)?.name ?? null;
      if (upstream === null && keyed.length === 0) {
        const way = toHosts({ gateway, cell }, trial, asked);
        return limited ? (way ?? Promise.resolve(OWN_WAY)).then(accounted) : way;
      }
      return open(trial, { ...asked, upstream });
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await cell[Symbol.asyncDispose]();
      await cassettes?.tapes.judges.settled();
    },
  };
}

/** Nobody to ask; a gateway is made only for trials with hosts of their own. */
function withoutServices(): Services {
  let way: Promise<HostsWay> | null = null;
  return {
    gateway: null,
    priceOf: () => null,
    prices: null,
    providers: [],
    addressOf: () => null,
    judgeTape: null,
    connect: (trial, asked) =>
      asked.hosts.length === 0
        ? null
        : (way ??= hostsWay()).then((open) => toHosts(open, trial, asked) as Promise<Connection>),
    async [Symbol.asyncDispose]() {
      const open = await way?.catch(() => null);
      await open?.gateway.close();
      await open?.cell[Symbol.asyncDispose]();
    },
  };
}

interface HostsWay {
  readonly gateway: Gateway;
  readonly cell: GatewayCell;
}

async function hostsWay(): Promise<HostsWay> {
  const { startGateway } = await import("../../gateway/gateway.ts");
  const gateway = await startGateway({ upstreams: [] });
  return { gateway, cell: gatewayCell(gateway) };
}

/** For a client that finds its model itself: the hosts that the user allows it; null: none. */
function toHosts(
  { gateway, cell }: HostsWay,
  trial: Trial,
  { hosts }: ConnectionAsk,
): Promise<Connection> | null {
  if (hosts.length === 0) return null;
  const connection = connectionOf(gateway.open({ trial: trial.id, hosts }));
  return Promise.resolve({ ...connection, endpoint: null, cell: cell.open });
}

/** Of a client that finds its model itself, and of whose traffic nothing is seen. */
const OWN_WAY: Connection = {
  endpoint: null,
  proxy: null,
  traffic: () => ({ skillsOffered: null, stopped: null, usage: null, said: null }),
  [Symbol.asyncDispose]: async () => {},
};

/** One trial's way as the runner of the trial sees it. */
export function connectionOf(port: TrialPort): Connection {
  return {
    endpoint: port.endpoint,
    proxy: port.proxy,
    traffic: () => {
      const { skillsOffered, stopped, usage, exchanges, said, refusedHosts } = port.traffic();
      return {
        skillsOffered: skillsOffered === null ? null : skillsOffered.map((skill) => skill.name),
        stopped,
        usage: exchanges.length === 0 ? null : usage,
        said: exchanges.length === 0 ? null : said,
        unanswered: unansweredIn(exchanges),
        refusedHosts,
      };
    },
    [Symbol.asyncDispose]: async () => void port.close(),
  };
}

function unansweredIn(exchanges: TrialTraffic["exchanges"]): LeftOut | null {
  const last = exchanges.at(-1);
  if (last === undefined) return null;
  const { status, end } = last;
  if (status !== null && status >= 400) {
    const kind = status === 401 || status === 403 ? "auth" : status === 429 ? "rate-limit" : "api";
    return leftOut(kind, `the model service answered ${status} to the agent's last request`, status);
  }
  return end === "failed"
    ? leftOut("network", "the model service could not be reached for the agent's last request")
    : null;
}

function budgetOf({ maxCostUsd, maxTokens }: ServicesOptions, account: Account | null): BudgetOptions {
  if (account === null) return { maxCostUsd, maxTokens };
  const { before, onChange } = openLedger(account.path, account.resume);
  return { maxCostUsd, maxTokens, onChange, ...(before === null ? {} : { before }) };
}
