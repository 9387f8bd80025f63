import { join } from "node:path";
import type { Check } from "../domain/check.ts";
import { UNKNOWN_USAGE, type Usage } from "../domain/run.ts";
import type { Case, FormatName } from "../domain/suite.ts";
import type { UserError } from "../domain/user-error.ts";
import type { Models } from "../engine/models/open-models.ts";
import { requireTempFolder } from "../engine/temp-folder.ts";
import { proposeEvals } from "../improve/proposal/propose.ts";
import { PROPOSAL_TOKENS } from "../improve/proposal/question.ts";
import { safeRegex } from "../lib/safe-regex/safe-regex.ts";
import { inTempFolder } from "../engine/run-folder.ts";
import { BUILT_IN_FORMATS } from "../load/formats/index.ts";
import { ONE_SKILL } from "../options/improve.ts";
import { choice, text, wholeNumber } from "../options/kind.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { type Given, option, optionOr, type Settled, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import type { ListeningDoor } from "./door.ts";
import { heldByNothing } from "./improve/held-by-nothing.ts";
import { proposerOf } from "./improve/judge.ts";
import { keepProposal } from "./improve/keep-proposal.ts";
import { loadProposal } from "./improve/load-proposal.ts";
import { proposalContext, tokensOf } from "./improve/proposal-context.ts";
import { ensureFree, proposalPlace } from "./improve/proposal-place.ts";
import { type ProposerCall, withProposer } from "./improve/with-proposer.ts";
import { skillAt } from "./shared/skill-at.ts";

/** What `propose` can be told. */
export const PROPOSE_OPTIONS = {
  ...ONE_SKILL,
  to: optionOr(
    "--to <format>",
    { kind: choice(Object.keys(BUILT_IN_FORMATS) as FormatName[]), otherwise: "skill-creator" },
    "the format to write",
  ),
  from: option("--from <run>", text, "learn from this run (a run folder or trial id) or captured file too"),
  cases: optionOr("--cases <n>", { kind: wholeNumber(1), otherwise: 3 }, "how many cases to ask for"),
  triggers: optionOr(
    "--triggers <n>",
    { kind: wholeNumber(0), otherwise: 10 },
    "how many trigger queries to ask for, half of them near misses",
  ),
  output: option("--output <dir>", text, "write there instead of beside the skill"),
  ...PLACE,
  ...MODELS,
  ...CASSETTES,
};
export type ProposeOptions = Given<typeof PROPOSE_OPTIONS>;

/** Who has evals drafted, and wants to know beforehand what that may cost. */
export type ProposeDoor = ListeningDoor<ProposeEvent>;

/** Before anything is spent: one question, twice at most, with about these tokens. */
export interface ProposeEvent {
  readonly kind: "estimated";
  readonly model: string;
  readonly inputTokens: number;
  /** At most. */
  readonly outputTokens: number;
  /** Of one question, at most; null: the price is unknown. */
  readonly costUsd: number | null;
}

export type EvalsProposed =
  | { readonly status: "unanswered"; readonly reason: string; readonly usage: Usage }
  /** What was proposed cannot be loaded, not the second time either. */
  | { readonly status: "invalid"; readonly problems: readonly string[]; readonly usage: Usage }
  | {
      readonly status: "proposed";
      readonly cases: readonly Case[];
      /** Checks of code that hold although nothing is done, so they were taken out. */
      readonly dropped: readonly { readonly caseId: string; readonly check: Check }[];
      readonly to: FormatName;
      /** What the format cannot express. */
      readonly losses: readonly string[];
      /** Absolute paths, in the order in which they were written. */
      readonly written: readonly string[];
      /** What kept the rest from being written; null: everything was. */
      readonly refusal: UserError | null;
      readonly usage: Usage;
    };

/** Drafts evals of a skill and writes them where the skill's evals are looked for. Rejects with the signal's reason. */
export async function propose(options: ProposeOptions, door: ProposeDoor): Promise<EvalsProposed> {
  return withProposer(door, (sources) => settle(PROPOSE_OPTIONS, options, sources), draftEvals);
}

async function draftEvals({
  settled,
  door: { machine, signal },
  results,
  models,
  listen,
}: ProposerCall<Settled<typeof PROPOSE_OPTIONS>, ProposeEvent>): Promise<EvalsProposed> {
  const { to } = settled;
  requireTempFolder();
  const { mask } = models;
  const skill = await skillAt(settled.skill, machine);
  const place = proposalPlace(skill, settled, machine);
  await ensureFree(place, to, machine);
  const context = await proposalContext(settled, { skill, results, machine, mask });
  const judge = proposerOf(models.find);
  listen(estimate(judge.model, tokensOf(context), models));
  return await inTempFolder(async (folder) => {
    await using regex = safeRegex();
    const outcome = await proposeEvals(
      context,
      {
        judge,
        load: (proposal) => loadProposal(mask.json(proposal), { skill, folder: join(folder, "draft") }),
        heldByNothing: (one, stop) => heldByNothing(one, { folder, regex, now: machine.now }, stop),
      },
      signal,
    );
    if (outcome.status !== "proposed") return outcome;
    const kept = await keepProposal(outcome.cases, {
      skill,
      to,
      place,
      folder: join(folder, "written"),
      machine,
    });
    return { ...outcome, ...kept, to };
  });
}

/** A second question may follow when the first reply cannot be used. */
function estimate(model: string, inputTokens: number, { services }: Models): ProposeEvent {
  const usage = { ...UNKNOWN_USAGE, inputTokens, outputTokens: PROPOSAL_TOKENS };
  const costUsd = services.priceOf(model, usage);
  return { kind: "estimated", model, inputTokens, outputTokens: PROPOSAL_TOKENS, costUsd };
}
