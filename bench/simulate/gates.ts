import { checkChanges, type CheckedCase } from "../../src/stats/check-changes.ts";
import { comparableScores } from "../../src/stats/comparable.ts";
import type { Random } from "../../src/stats/random.ts";
import { settleQuery } from "../../src/stats/settle.ts";
import { alphaAtLook, lookRepeatedly, type LooksTaken, USUAL_LOOKS } from "../../src/stats/looks.ts";
import { withinCaseTest } from "../../src/stats/within-case.ts";
import { adoptsDescription } from "./description.ts";
import { adoptsConfirmed } from "./improve.ts";
import { drawCase, drawCaseRuns, drawRun, type World } from "./worlds.ts";

/** One way to fail a build. Nothing has changed, so each alarm is false. */
export interface Gate {
  readonly name: string;
  readonly alarm: (draw: { world: World; cases: number; runs: number; random: Random }) => boolean;
  /** Where the number of runs is the gate's own. */
  readonly ownRuns?: boolean;
}

type Draw = Parameters<Gate["alarm"]>[0];

export const GATES: readonly Gate[] = [
  { name: "bench: better or worse", alarm: (draw) => (bench(draw)?.pValue ?? 1) <= 0.05 },
  {
    name: "last known good, 10 runs then",
    alarm: (draw) => knownGood({ ...draw, before: 10, maxDrop: null }),
  },
  {
    name: "last known good, `--max-drop 0.1`",
    alarm: (draw) => knownGood({ ...draw, before: draw.runs, maxDrop: 0.1 }),
  },
  { name: "flips, every check", alarm: flips },
  { name: "triggers, every query", alarm: triggers },
  { name: "triggers, settled in 9", alarm: settled },
  { name: "adaptive, looks at 2, 4, 6, 8", alarm: adaptive, ownRuns: true },
  { name: "runs added to 3, 6, 9, 12 with `--resume`", alarm: lookedAgain, ownRuns: true },
  {
    name: "improve: 5 drafts, 5 fresh runs",
    alarm: (draw) => adoptsConfirmed({ ...draw, effect: 0 }),
    ownRuns: true,
  },
  {
    name: "description: 5 drafts, 3 fresh runs, so many queries",
    alarm: ({ cases, random }) =>
      adoptsDescription({ queries: cases, recall: { original: 0.6, drafts: 0.6 }, random }),
    ownRuns: true,
  },
];

function bench({ world, cases, runs, random, before = runs }: Draw & { before?: number }) {
  return withinCaseTest(
    Array.from({ length: cases }, () =>
      drawCaseRuns(world, drawCase(world, random), { treatment: runs, baseline: before, random }),
    ),
  );
}

/** Any check, or all of them together, worse beyond chance. */
function flips(draw: Draw): boolean {
  const { together, checks } = checkChanges(checkedCases(draw));
  return [together, ...checks].some(({ status }) => status === "worse");
}

/** The same for queries, of which each has one check. */
function triggers({ world, ...draw }: Draw): boolean {
  return flips({ ...draw, world: { ...world, checks: 1 } });
}

/** The mean at the level of a benchmark, or a single check at half of it, as `compareKnownGood` has it. */
function knownGood({ maxDrop, ...draw }: Draw & { before: number; maxDrop: number | null }): boolean {
  const cases = checkedCases(draw);
  const test = withinCaseTest(cases.map(({ checks, now, before }) => comparableScores(checks, now, before)));
  if (test === null) return false;
  const isWorse = test.lift < 0 && test.pValue <= 0.05;
  const dropped = maxDrop !== null && test.lift < -maxDrop && test.pWorse <= 0.05;
  return isWorse || dropped || checkChanges(cases).checks.some(({ status }) => status === "worse");
}

function checkedCases({
  world,
  cases,
  runs,
  random,
  before = runs,
}: Draw & { before?: number }): CheckedCase[] {
  const checks = new Set(Array.from({ length: world.checks }, (_, check) => `${check}`));
  return Array.from({ length: cases }, (_, at) => {
    const { baseline } = drawCase(world, random);
    const side = (count: number) =>
      Array.from({ length: count }, () => {
        const run = drawRun(world, baseline, random);
        return new Map([...checks].map((id, check) => [id, Boolean(run[check])]));
      });
    return { caseId: `${at}`, checks, before: side(before), now: side(runs) };
  });
}

/** Queries that fire at 0.9 and 0.05; repeated while unsettled, up to nine runs. */
function settled({ cases, runs, random }: Draw): boolean {
  return Array.from({ length: cases }).some((_, at) => {
    const shouldFire = at % 2 === 0;
    let fired = 0;
    for (let made = 1; made <= 9; made++) {
      if (random() < (shouldFire ? 0.9 : 0.05)) fired++;
      if (made < runs) continue;
      const { status } = settleQuery({ fired, runs: made, shouldFire, threshold: 0.5 });
      if (status !== "unsettled") return status === "failed";
    }
    return false;
  });
}

function adaptive({ world, cases, random }: Draw): boolean {
  return looksAt({ world, cases, random, lift: 0 }).found;
}

/** Somebody who adds three runs and looks again until something shows, and gives up after four results. */
function lookedAgain({ world, cases, random }: Draw): boolean {
  const sizes = [3, 6, 9, 12];
  const upTo = growing({ world, cases, random, lift: 0, most: 12 });
  return sizes.some((runs, at) => (withinCaseTest(upTo(runs))?.pValue ?? 1) <= alphaAtLook(at + 1));
}

/** The same cases after so many runs of each. */
function growing({ world, cases, random, lift, most }: Omit<Draw, "runs"> & { lift: number; most: number }) {
  const truths = Array.from({ length: cases }, () => drawCase(world, random, { lift }));
  const all = truths.map((truth) => drawCaseRuns(world, truth, { treatment: most, baseline: most, random }));
  return (runs: number) =>
    all.map(({ treatment, baseline }) => ({
      treatment: treatment.slice(0, runs),
      baseline: baseline.slice(0, runs),
    }));
}

/** A benchmark that looks after 2, 4, 6 and 8 runs and stops when it may. */
export function looksAt({ world, cases, random, lift }: Omit<Draw, "runs"> & { lift: number }) {
  const most = USUAL_LOOKS.at(-1) ?? 0;
  const upTo = growing({ world, cases, random, lift, most });
  for (let looks = 1; looks <= USUAL_LOOKS.length; looks++) {
    const taken = lookRepeatedly(USUAL_LOOKS.slice(0, looks).map(upTo), { sizes: USUAL_LOOKS });
    if (taken !== null && taken.status !== "open")
      return { ...endOf(taken), runs: USUAL_LOOKS[looks - 1] ?? 0 };
  }
  return { found: false, stopped: false, runs: most };
}

/** Whether a difference was found, or it stopped because none that matters was left to find. */
function endOf({ status, comparison: { verdict } }: LooksTaken) {
  const found = verdict === "better" || verdict === "worse";
  return { found, stopped: !found && status !== "finished" };
}
