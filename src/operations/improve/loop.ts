import type { JsonObject } from "../../domain/json.ts";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Judge } from "../../grade/judge.ts";
import { failingChecks } from "../../improve/failing.ts";
import { historyFile } from "../../improve/loop/history-file.ts";
import { improveSkill, type LoopOutcome, type LoopParts, type Stopped } from "../../improve/loop/improve.ts";
import { bestVersion } from "../../improve/loop/record.ts";
import { scoreOf } from "../../improve/loop/score.ts";
import { type Undecided, undecidedOf } from "../../improve/loop/undecided.ts";
import { type CaseSplit, splitCases } from "../../improve/loop/split-cases.ts";
import { suggestEdits } from "../../improve/suggestion/suggest.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { acquireLock } from "../../lib/file-lock.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import type { SuiteFolder } from "../../store/layout.ts";
import { EXIT } from "../../cli/exit.ts";
import { plural } from "../../lib/plural.ts";
import { secretsOf } from "../../engine/secrets.ts";
import type { Machine } from "../../machine.ts";
import { adoptText, ensureCommitted } from "./adopt.ts";
import { readAdvice } from "./advice.ts";
import { compareVersions } from "./compare-versions.ts";
import { readFeedback } from "./feedback.ts";
import { openHistory, type OpenedHistory, setAside } from "./history.ts";
import { proposerOf, tellJudge } from "./judge.ts";
import { loopReport, newsText } from "../../cli/render/improve-loop.ts";
import type { Place } from "./place.ts";
import { type RunnerCall, type VersionRun, type VersionRunner, versionRunner } from "./run-version.ts";
import { skillTextProblem } from "./skill-text.ts";
import { type Versions, versionsIn } from "./versions.ts";

/** Improves the body of a skill in rounds. Answers the exit code. */
export async function improveInRounds(call: RunnerCall, signal: AbortSignal): Promise<number> {
  const { place, raw, machine } = call;
  const { skill, skillText, folder } = place;
  const apply = raw["apply"] === true;
  if (apply) await ensureCommitted(skill.file, machine);
  const cases = taskCases(place);
  const { find } = call.graders;
  const judge = proposerOf(find);
  await makeFolder(folder.root);
  await using _lock = await lockLoop(folder);
  if (raw["restart"] === true) {
    const moved = await setAside(folder);
    if (moved !== null) machine.note(`the earlier history is now in ${moved}`);
  }
  const runner = await versionRunner({
    ...call,
    options: { ...call.options, selection: { ...call.options.selection, mode: "artifact" } },
  });
  tellJudge(judge, "drafts versions, compares them and says why", { suite: place.suite, find, machine });
  const split = splitCases(
    cases.map(({ id }) => id),
    call.options.seed,
  );
  const about: JsonObject = {
    harness: runner.harness,
    model: runner.model,
    runs: call.options.runs,
    cases: split.train,
    held_out: split.heldOut,
  };
  const opened = await openHistory(folder, { skillName: skill.name, about, now: new Date() });
  const versions = versionsIn(folder, skill);
  await ensureSameSkill(opened, versions, place);
  if ((await versions.read(0)) === null) {
    await versions.keep({ version: 0, parent: null, text: skillText, summary: "", edits: [] }, new Date());
  }
  const parts = partsOf({ call, judge, runner, versions, cases, split, opened, about }, signal);
  const outcome = await improveSkill(opened.rounds, parts, {
    rounds: raw["rounds"] as number,
    goal: raw["goal"] as number,
    maxMs: typeof raw["maxMinutes"] === "number" ? raw["maxMinutes"] * 60_000 : null,
    patience: 2,
  });
  return await finish(outcome, { call, versions, split, apply });
}

function taskCases({ suite }: Place): readonly Case[] {
  const cases = suite.cases.filter(({ kind, checks }) => kind === "task" && checks.length > 0);
  if (cases.length > 0) return cases;
  throw new UserError("improve/no-cases", `${suite.name} has no case with checks to improve it by`, {
    hint: "assay propose drafts some; --description improves when the skill fires",
  });
}

async function lockLoop({ root, improveLock: path }: SuiteFolder): Promise<AsyncDisposable> {
  const attempt = await acquireLock(path);
  if (attempt.acquired) return attempt.lock;
  throw new UserError("improve/locked", `another assay improve is at work in ${root}`, {
    hint: `wait for it, or stop it first; if you are sure that it is gone, remove ${path}`,
  });
}

/** The rounds are about the skill as it was, or as it is since the best version was adopted. */
async function ensureSameSkill(
  { rounds }: OpenedHistory,
  versions: Versions,
  { skill, skillText, folder }: Place,
): Promise<void> {
  const first = await versions.read(0);
  if (rounds.length === 0 && first === null) return;
  const best = await versions.read(bestVersion(rounds));
  if (skillText === first?.text || skillText === best?.text) return;
  throw new UserError(
    "improve/other-text",
    `${skill.file} is neither v0 nor the best version of ${folder.history}, so it was changed by hand since`,
    { hint: "--restart sets the history aside and begins anew with the skill as it is now" },
  );
}

interface Around {
  readonly call: RunnerCall;
  readonly judge: Judge;
  readonly runner: VersionRunner;
  readonly versions: Versions;
  readonly cases: readonly Case[];
  readonly split: CaseSplit;
  readonly opened: OpenedHistory;
  readonly about: JsonObject;
}

function partsOf(around: Around, signal: AbortSignal): LoopParts {
  const { call, judge, versions, split, opened, about } = around;
  const { place, raw, machine } = call;
  const { skill, folder } = place;
  const mask = secretMask(secretsOf(machine.env));
  const started = performance.now();
  const runs = new Map<number, VersionRun>();
  const runOf = async (version: number): Promise<VersionRun> => {
    const known = runs.get(version);
    if (known !== undefined) return known;
    const draft = await versions.read(version);
    if (draft === null) throw new Error(`v${version} is missing`);
    const run = await around.runner.run(versions.skill(draft), around.cases, signal);
    if (run.ended === "complete") runs.set(version, run);
    return run;
  };
  return {
    async measure(version) {
      const run = await runOf(version);
      const stopped = whyStopped(run);
      if (stopped !== null) return stopped;
      const { state } = run;
      const score = scoreOf(state, split, state.iteration?.number ?? 0);
      const missing = undecidedOf(state);
      if (score.all === null || missing.count > call.options.allowMissing)
        return { status: "stopped", why: "unfinished", message: undecidedText(version, missing) };
      await versions.rate(version, { iteration: score.iteration, score: score.all });
      return {
        status: "measured",
        score,
        failing: failingChecks(state, new Set(split.train)),
        feedback: await readFeedback(run.folder, machine),
      };
    },
    suggest: async ({ parent, measured, rejected, compared }) =>
      suggestEdits(
        {
          skillName: skill.name,
          skillText: parent.text,
          failing: mask.json(measured.failing),
          feedback: mask.json(measured.feedback),
          rejected,
          advice: await readAdvice(folder, compared),
          mostEdits: raw["edits"] as number,
        },
        { judge, objection: (text) => skillTextProblem(skill, text) },
        signal,
      ),
    compare: async (newer, older) =>
      compareVersions(
        { version: newer, run: await runOf(newer) },
        { version: older, run: await runOf(older) },
        { call, mask, learnFrom: new Set(split.train) },
        signal,
      ),
    readDraft: versions.read,
    keepDraft: (draft) => versions.keep(draft, new Date()),
    keepRounds: async (rounds) => {
      const head = { startedAt: opened.startedAt, skillName: skill.name, about };
      await writeFileAtomic(folder.history, `${JSON.stringify(historyFile(head, rounds), null, 2)}\n`);
    },
    tell: (news) => machine.err(newsText(news)),
    elapsedMs: () => performance.now() - started,
  };
}

function undecidedText(version: number, { count, reason }: Undecided): string {
  const why = reason === null ? "" : ` (${reason.slice(0, 300)})`;
  return `${plural(count, "check")} of v${version} could not be decided${why}; --allow-missing ${count} goes on without`;
}

function whyStopped({ ended }: VersionRun): Stopped | null {
  switch (ended) {
    case "complete":
      return null;
    case "interrupted":
      return { status: "stopped", why: "interrupted", message: "interrupted" };
  }
}

async function finish(
  outcome: LoopOutcome,
  { call, versions, split, apply }: Pick<Around, "call" | "versions" | "split"> & { apply: boolean },
): Promise<number> {
  const { place, raw, machine } = call;
  const { skillText } = place;
  const best = await versions.read(bestVersion(outcome.rounds));
  const after = best?.text ?? skillText;
  loopReport(outcome, { place, after, split, json: raw["json"] === true, machine });
  const { end } = outcome;
  if (end.kind === "stopped") return end.why === "interrupted" ? EXIT.interrupted : EXIT.unfinished;
  if (apply && after !== skillText) await adopt(place, after, machine);
  return end.kind === "no-edits" ? EXIT.unfinished : EXIT.ok;
}

async function adopt({ skill, skillText }: Place, after: string, machine: Machine): Promise<void> {
  await adoptText(skill.file, { before: skillText, after }, machine);
  machine.err("applied\n");
}
