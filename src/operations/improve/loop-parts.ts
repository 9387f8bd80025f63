import type { JsonObject } from "../../domain/json.ts";
import type { Judge } from "../../grade/judge.ts";
import { historyFile } from "../../improve/loop/history-file.ts";
import type { LoopParts, News } from "../../improve/loop/improve.ts";
import type { CaseSplit } from "../../improve/loop/split-cases.ts";
import { suggestEdits } from "../../improve/suggestion/suggest.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { readAdvice } from "./advice.ts";
import type { Begun } from "./begin.ts";
import { compareVersions } from "./compare-versions.ts";
import { measureVersion } from "./measure.ts";
import type { VersionsCall } from "./open-versions.ts";
import type { VersionRun } from "./run-version.ts";
import { skillTextProblem } from "./skill-text.ts";

interface Around {
  readonly call: VersionsCall;
  readonly begun: Begun;
  readonly about: JsonObject;
  readonly split: CaseSplit;
  readonly judge: Judge;
  readonly runOf: (version: number) => Promise<VersionRun>;
  readonly mostEdits: number;
  readonly tell: (news: News) => void;
}

/** The effects of the loop: versions are run by agents, drafted and compared by models, and kept in the results folder. */
export function loopParts(around: Around, signal: AbortSignal): LoopParts {
  const { call, begun, about, split, judge, runOf, mostEdits, tell } = around;
  const { skill, folder } = call.place;
  const { machine, options, mask } = call.request;
  const { opened, versions } = begun;
  const started = performance.now();
  return {
    measure: async (version) =>
      measureVersion(version, await runOf(version), {
        versions,
        split,
        allowMissing: options.allowMissing,
        machine,
      }),
    suggest: async ({ parent, measured, rejected, compared }) =>
      suggestEdits(
        {
          skillName: skill.name,
          skillText: parent.text,
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
    readDraft: versions.read,
    keepDraft: (draft) => versions.keep(draft, machine.now()),
    keepRounds: async (rounds) => {
      const head = { startedAt: opened.startedAt, skillName: skill.name, about };
      await writeFileAtomic(folder.history, `${JSON.stringify(historyFile(head, rounds), null, 2)}\n`);
    },
    tell,
    elapsedMs: () => performance.now() - started,
  };
}
