import type { JsonObject } from "../../domain/json.ts";
import type { Case } from "../../domain/suite.ts";
import type { Judge } from "../../grade/judge.ts";
import { historyFile } from "../../improve/loop/history-file.ts";
import type { LoopParts, News } from "../../improve/loop/improve.ts";
import { runScores } from "../../improve/loop/score.ts";
import type { CaseSplit } from "../../improve/loop/split-cases.ts";
import { suggestEdits } from "../../improve/suggestion/suggest.ts";
import type { Race } from "./race.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { readAdvice } from "./advice.ts";
import type { BegunRounds } from "./begin.ts";
import { compareVersions } from "./compare-versions.ts";
import { confirmVersion } from "./confirm-version.ts";
import { failingTranscripts } from "./failing-transcripts.ts";
import { measureVersion } from "./measure.ts";
import type { VersionsCall } from "./open-versions.ts";
import { otherFiles } from "./other-files.ts";
import { raceAgainst } from "./race.ts";
import type { VersionRun, VersionRunner } from "./run-version.ts";
import { skillTextProblem } from "./skill-text.ts";

interface Around {
  readonly call: VersionsCall;
  readonly begun: BegunRounds;
  readonly about: JsonObject;
  readonly split: CaseSplit;
  readonly judge: Judge;
  readonly runner: VersionRunner;
  /** All that have checks. */
  readonly cases: readonly Case[];
  readonly runOf: (version: number, race?: Race) => Promise<VersionRun>;
  /** Of each version on each case, to confirm one. */
  readonly freshRuns: number;
  readonly mostEdits: number;
  readonly tell: (news: News) => void;
}

/** The effects of the loop: versions are run by agents, drafted and compared by models, and kept in the results folder. */
export function loopParts(around: Around, signal: AbortSignal): LoopParts {
  const { call, begun, about, split, judge, runner, cases, runOf, freshRuns, mostEdits, tell } = around;
  const { skill, folder } = call.place;
  const { machine, options, mask } = call.request;
  const { opened, versions } = begun;
  const started = performance.now();
  const learning = cases.filter(({ id }) => split.train.includes(id));
  return {
    async measure(version, leader) {
      const led = leader === null ? null : runScores((await runOf(leader)).state, split.train);
      const race = led && raceAgainst(led, learning, runner.runsOf);
      const isOutrun = race?.isOutrun ?? (() => false);
      const { allowMissing } = options;
      const run = await runOf(version, race ?? undefined);
      return measureVersion(version, run, { versions, split, isOutrun, allowMissing, machine });
    },
    suggest: async ({ parent, measured, rejected, compared }) =>
      suggestEdits(
        {
          skillName: skill.name,
          skillText: parent.text,
          files: await otherFiles(skill, parent.files),
          transcripts: mask.json(await failingTranscripts(await runOf(parent.version), measured.failing)),
          failing: mask.json(measured.failing),
          feedback: mask.json(measured.feedback),
          rejected,
          advice: await readAdvice(folder, compared),
          mostEdits,
        },
        { judge, objection: (text) => skillTextProblem(skill, text) },
        signal,
      ),
    compare: async (newer, older) =>
      compareVersions(
        { version: newer, run: await runOf(newer) },
        { version: older, run: await runOf(older) },
        { call, learnFrom: new Set(split.train) },
        signal,
      ),
    confirm: async (version, against) => {
      const { allowMissing } = options;
      const after = (await runOf(version)).state.iteration?.number ?? 0;
      const confirming = { runner, versions, cases, split, runs: freshRuns, after, allowMissing };
      return confirmVersion(version, against, confirming, signal);
    },
    readDraft: versions.read,
    keepDraft: (draft) => versions.keep(draft, machine.now()),
    keep: async (record) => {
      const head = { startedAt: opened.startedAt, skillName: skill.name, about };
      await writeFileAtomic(folder.history, `${JSON.stringify(historyFile(head, record), null, 2)}\n`);
    },
    tell,
    elapsedMs: () => performance.now() - started,
  };
}
