import { dirname, resolve } from "node:path";
import type { Usage } from "../domain/run.ts";
import type { Case } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { loadOptions } from "../engine/load-suites.ts";
import { draftQuestion } from "../improve/draft/question.ts";
import { type CaseSplit, splitCases } from "../improve/loop/split-cases.ts";
import { loadTargets } from "../load/load.ts";
import { findProjectRoot } from "../load/project-root.ts";
import { APPLY, ONE_SKILL } from "../options/improve.ts";
import { text } from "../options/kind.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { RUN } from "../options/run.ts";
import { type Given, option, pick, type Settled, settle } from "../options/table.ts";
import { PLACE, TARGETS } from "../options/targets.ts";
import type { OpenDoor } from "./door.ts";
import type { ImproveDoor, ImproveEvent } from "./improve.ts";
import { adopt, type Adoption } from "./improve/adopt.ts";
import { type SkillChange, changeIn } from "./improve/change.ts";
import { proposerOf } from "./improve/judge.ts";
import { brokenRules, freeFile, skillFileText, skillNameFor } from "./improve/new-skill.ts";
import { type ProposerCall, withProposer } from "./improve/with-proposer.ts";

/** What `draftFromEvals` can be told. */
export const DRAFT_OPTIONS = {
  ...ONE_SKILL,
  evals: option("--from-evals <path>", text, "draft a first SKILL.md where there is none, from these evals"),
  ...pick(TARGETS, ["projectRoot"]),
  ...APPLY,
  ...PLACE,
  ...pick(RUN, ["seed"]),
  ...MODELS,
  ...CASSETTES,
};
export type DraftOptions = Given<typeof DRAFT_OPTIONS>;

export type SkillDrafted =
  | { readonly status: "unanswered"; readonly reason: string; readonly usage: Usage }
  /** The draft breaks rules for skills; nothing was written. */
  | { readonly status: "against-rules"; readonly problems: readonly string[]; readonly usage: Usage }
  | {
      readonly status: "drafted";
      /** Ids of the cases that the draft was made from, and of those that the model did not see. */
      readonly split: CaseSplit;
      readonly usage: Usage;
      readonly change: SkillChange;
      readonly adoption: Adoption;
    };

/** Drafts a skill where there is none, from evals that say what it must do. Rejects with the signal's reason. */
export async function draftFromEvals(options: DraftOptions, door: ImproveDoor): Promise<SkillDrafted> {
  return withProposer(door, (sources) => settle(DRAFT_OPTIONS, options, sources), draft);
}

async function draft({
  settled,
  door: { machine, config, signal },
  models,
  listen,
}: ProposerCall<Settled<typeof DRAFT_OPTIONS>, ImproveEvent>): Promise<SkillDrafted> {
  const file = await freeFile(resolve(machine.cwd, settled.skill), machine);
  const name = skillNameFor(file);
  const cases = await tasksAt(settled, { machine, config, signal });
  const split = splitCases(
    cases.map(({ id }) => id),
    settled.seed,
  );
  const shown = cases.filter(({ id }) => split.train.includes(id));
  const judge = proposerOf(models.find);
  listen({ kind: "asking", judge: judge.name, model: judge.model, wanted: "skill" });
  const answer = await judge.ask(draftQuestion(name, models.mask.json(shown)), signal);
  const { usage } = answer;
  if (answer.status === "unanswered") return { status: "unanswered", reason: answer.reason, usage };
  const after = skillFileText(name, answer.value);
  const problems = await brokenRules(file, after);
  if (problems.length > 0) return { status: "against-rules", problems, usage };
  const diffRoot = findProjectRoot(dirname(file), machine.home) ?? machine.cwd;
  const change = changeIn(diffRoot, { file, before: null, after });
  const adoption: Adoption = settled.apply ? await adopt(change, machine) : { status: "not-asked" };
  return { status: "drafted", split, usage, change, adoption };
}

async function tasksAt(
  { evals: named, projectRoot }: Pick<Settled<typeof DRAFT_OPTIONS>, "evals" | "projectRoot">,
  { machine, config, signal }: Pick<OpenDoor, "machine" | "config" | "signal">,
): Promise<readonly Case[]> {
  const { plugins } = config;
  const evals = named ?? ".";
  const options = loadOptions({ evals: null, skill: null, plugins, projectRoot, signal }, machine);
  const { suites, diagnostics } = await loadTargets([evals], options);
  const cases = suites.flatMap((suite) => suite.cases).filter(({ kind }) => kind === "task");
  if (cases.length > 0) return cases;
  throw new UserError("improve/no-evals", `${evals} has no task to draft a skill from`, {
    hint: "pass an eval file or a directory of them",
    diagnostics,
  });
}
