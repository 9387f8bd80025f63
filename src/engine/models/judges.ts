import type { Iteration } from "../../domain/iteration.ts";
import type { Case, Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Judge } from "../../grade/judge.ts";
import { cachedJudge } from "../../grade/judges/cached.ts";
import { inTurn } from "../../grade/judges/in-turn.ts";
import { untilRefused } from "../../grade/judges/until-refused.ts";
import { judges } from "../../grade/judges/index.ts";
import { memo } from "../../lib/memo.ts";
import { connect } from "../../providers/connect.ts";
import {
  type GradingChoice,
  gradingModels,
  type GradingSources,
  type GradingWishes,
  ownJudge,
  resolveGrading,
} from "../../providers/grading-choice.ts";
import type { Provider } from "../../providers/provider.ts";
import type { Machine } from "../../machine.ts";
import { fromPlugin } from "../from-plugin.ts";
import type { Logins } from "../logins/access.ts";
import type { Plugins } from "../plugins.ts";
import { answerFolder } from "./answer-folder.ts";
import { cliCallOf, type Programs, installedPrograms } from "./cli-judge.ts";
import { reachOf } from "./judge-reach.ts";
import { promptDigests, type Prompts, withPrompts } from "./prompts.ts";
import type { Services } from "./services.ts";

export interface JudgeParts {
  readonly flags: GradingWishes;
  readonly config: GradingWishes;
  /** Seats of a panel. */
  readonly judges: number;
  /** Instructions of the user's own. */
  readonly prompts: Prompts;
  readonly plugins: Plugins["judges"];
  readonly services: Pick<Services, "gateway" | "priceOf" | "providers" | "judgeTape" | "addressOf">;
  readonly logins: Logins;
  readonly machine: Machine;
  /** Absolute folder for remembered answers, and the file with the key that seals them; null: every question is asked. */
  readonly cache: { readonly folder: string; readonly keyFile: string } | null;
}

/** Who judges a case. */
export interface JudgeFinder {
  /** Who has this seat of the panel, from 0; null where that judge cannot be had. */
  (one: Pick<Case, "settings">, seat?: number): Judge | null;
  /** All seats of the panel; none where one of them would be empty. */
  readonly panel: (one: Pick<Case, "settings">) => readonly Judge[];
  /** Why a case has no judge, as sentences; null: it has one. */
  readonly missing: (one: Pick<Case, "settings">) => string | null;
  /** How the seats of a case's panel are filled, for people and for a look ahead. */
  readonly choices: (one: Pick<Case, "settings">) => readonly GradingChoice[];
  /** Which instructions are the user's own; absent: none. */
  readonly prompts?: Iteration["prompts"];
}

interface OwnChoice {
  readonly plugin: Plugins["judges"][number];
  readonly model: string | null;
}

/** The judge that a case asks for. Several models, with commas, take the seats of a panel in turn. Each choice is made once. */
export async function judgeFinder(parts: JudgeParts): Promise<JudgeFinder> {
  const programs = await installedPrograms(parts.machine);
  const reach = reachOf(programs, { ...parts.logins, ...parts.services });
  const judgeOf = memo(
    (choice: GradingChoice) => {
      const judge = makeJudge(choice, programs, parts);
      return judge === null ? null : withPrompts(judge, parts.prompts);
    },
    ({ provider, model, transport }) => JSON.stringify([provider, model, transport]),
  );
  const guarded = parts.plugins.length === 0 ? asItIs : (await import("../guards/judge.ts")).guardedJudge;
  const pluginJudge = memo(
    ({ plugin: { name, create }, model }: OwnChoice) =>
      withPrompts(
        fromPlugin({ kind: "judge", name }, () => guarded(create({ model }))),
        parts.prompts,
      ),
    ({ plugin, model }) => JSON.stringify([plugin.name, model]),
  );
  const sourcesOf = ({ settings }: Pick<Case, "settings">): GradingSources => ({
    flags: parts.flags,
    env: parts.machine.env,
    settings,
    config: parts.config,
    reach,
    own: parts.plugins.map(({ name }) => name),
  });
  const pluginFor = (one: Pick<Case, "settings">): Plugins["judges"][number] | undefined => {
    const name = ownJudge(sourcesOf(one));
    return parts.plugins.find((plugin) => plugin.name === name);
  };
  const modelFor = (one: Pick<Case, "settings">, seat: number): string | null => {
    const models = gradingModels(sourcesOf(one));
    return models[seat % models.length] ?? null;
  };
  const choose = (one: Pick<Case, "settings">, seat: number): GradingChoice =>
    resolveGrading({
      ...sourcesOf(one),
      flags: { ...parts.flags, gradingModel: modelFor(one, seat) },
    });
  const find = (one: Pick<Case, "settings">, seat = 0): Judge | null => {
    const plugin = pluginFor(one);
    if (plugin !== undefined) return pluginJudge({ plugin, model: modelFor(one, seat) });
    const choice = choose(one, seat);
    if (choice.missing !== null && parts.flags.gradingProvider !== null) throw noKey(choice.missing);
    if (choice.missing !== null) return null;
    return judgeOf(choice);
  };
  const seats = (one: Pick<Case, "settings">): readonly number[] => {
    const length = Math.max(parts.judges, gradingModels(sourcesOf(one)).length);
    return Array.from({ length }, (_, seat) => seat);
  };
  const panel = (one: Pick<Case, "settings">): readonly Judge[] => {
    const judges = seats(one).map((seat) => find(one, seat));
    return judges.every((judge) => judge !== null) ? judges : [];
  };
  const choices = (one: Pick<Case, "settings">): readonly GradingChoice[] =>
    pluginFor(one) === undefined ? seats(one).map((seat) => choose(one, seat)) : [];
  const missing = (one: Pick<Case, "settings">): string | null => {
    const reasons = choices(one).flatMap((choice) => choice.missing ?? []);
    return reasons.length === 0 ? null : [...new Set(reasons)].join(" ");
  };
  const prompts = promptDigests(parts.prompts);
  return Object.assign(find, { panel, missing, choices, ...(prompts !== null && { prompts }) });
}

function asItIs(judge: Judge): Judge {
  return judge;
}

function noKey(missing: string): UserError {
  return new UserError("grading/no-key", missing, {
    hint: "set it, or leave --grading-provider out to let Assay choose; --no-grade runs now, and assay grade grades later",
  });
}

/** How many judges each of these cases is put to: at least so many, and everyone who sits on a panel. */
export function seatsFor(
  cases: readonly Pick<Case, "settings">[],
  { panel }: JudgeFinder,
  least: number,
): number {
  return Math.max(least, ...cases.map((one) => panel(one).length));
}

function makeJudge(choice: GradingChoice, programs: Programs, parts: JudgeParts): Judge | null {
  const made = judges
    .find(({ name }) => name === choice.transport)
    ?.create({
      model: choice.model,
      service: () => overGateway(choice, parts),
      program: () => cliCallOf(choice, programs, parts),
    });
  if (made === undefined || made === null) return null;
  const asked = untilRefused(made);
  const judge = choice.transport === "api" && parts.services.judgeTape !== null ? inTurn(asked) : asked;
  if (parts.cache === null) return judge;
  const address = parts.services.addressOf(choice.provider);
  return cachedJudge(judge, answerFolder(parts.cache.folder, parts.cache.keyFile), address);
}

/** Judges go the same way as agents, so that one budget and one limit hold for both. */
function overGateway({ provider, model }: GradingChoice, { services }: JudgeParts): Provider | null {
  const { gateway, priceOf, providers, judgeTape } = services;
  if (gateway === null || !providers.includes(provider)) return null;
  const { endpoint } = gateway.open({ trial: "judge", model, upstream: provider, tape: judgeTape });
  return connect(provider, { baseUrl: `${endpoint.baseUrl}/v1`, key: endpoint.token, priceOf });
}

/** For the manifest: the judges of the first case that has checks for them. */
export function gradedBy(
  { cases }: Suite,
  find: JudgeFinder,
  { prices }: Pick<Services, "prices">,
): Pick<Iteration, "judge" | "prices" | "prompts"> {
  const judged = cases.find((one) => one.checks.some(({ layer }) => layer === "L2" || layer === "L3"));
  const panel = judged === undefined ? [] : find.panel(judged);
  const all = (names: readonly string[]) => [...new Set(names)].join(", ");
  const provider = all(panel.map(({ name }) => name));
  return {
    judge: panel.length === 0 ? null : { provider, model: all(panel.map(({ model }) => model)) },
    prices,
    ...(find.prompts !== undefined && { prompts: find.prompts }),
  };
}
