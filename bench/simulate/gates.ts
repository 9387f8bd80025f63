import { confirmWorse } from "../../src/stats/confirm.ts";
import type { Random } from "../../src/stats/random.ts";
import { settleQuery } from "../../src/stats/settle.ts";
import { lookRepeatedly, type LooksTaken, USUAL_LOOKS } from "../../src/stats/looks.ts";
import { withinCaseTest } from "../../src/stats/within-case.ts";
import { mean } from "../../src/stats/descriptive.ts";
import { drawCase, drawCaseRuns, drawRun, drawScore, drawScores, type World } from "./worlds.ts";

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
    alarm: (draw) => (bench({ ...draw, before: 10 })?.pWorse ?? 1) <= 0.05,
  },
  {
    name: "`--max-drop 0.1`, confirmed",
    alarm: (draw) => {
      const test = bench({ ...draw, before: draw.runs });
      return test !== null && test.lift < -0.1 && test.pWorse <= 0.05;
    },
  },
  { name: "flips, every check", alarm: flips },
  { name: "triggers, every query", alarm: triggers },
  { name: "triggers, settled in 9", alarm: settled },
  { name: "adaptive, looks at 2, 4, 6, 8", alarm: adaptive, ownRuns: true },
  { name: "improve: 4 drafts, 5 fresh runs", alarm: improve, ownRuns: true },
];

function bench({ world, cases, runs, random, before = runs }: Draw & { before?: number }) {
  return withinCaseTest(
    Array.from({ length: cases }, () =>
      drawCaseRuns(world, drawCase(world, random), { treatment: runs, baseline: before, random }),
    ),
  );
}

function flips({ world, cases, runs, random }: Draw): boolean {
  const units = Array.from({ length: cases }, (_, at) => {
    const { baseline } = drawCase(world, random);
    const side = () => Array.from({ length: runs }, () => drawRun(world, baseline, random));
    const [before, now] = [side(), side()];
    return Array.from({ length: world.checks }, (__, check) => ({
      id: `${at} ${check}`,
      before: before.map((run) => Number(run[check])),
      now: now.map((run) => Number(run[check])),
    }));
  });
  return confirmWorse(units.flat()).some((unit) => unit.status === "confirmed");
}

function triggers({ world, cases, runs, random }: Draw): boolean {
  const query = { ...world, checks: 1 };
  const units = Array.from({ length: cases }, (_, at) => {
    const { baseline } = drawCase(query, random);
    const side = () => drawScores(query, baseline, { runs, random });
    return { id: `${at}`, before: side(), now: side() };
  });
  return confirmWorse(units).some((unit) => unit.status === "confirmed");
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

/** A benchmark that looks after 2, 4, 6 and 8 runs and stops when it may. */
export function looksAt({ world, cases, random, lift }: Omit<Draw, "runs"> & { lift: number }) {
  const truths = Array.from({ length: cases }, () => drawCase(world, random, { lift }));
  const most = USUAL_LOOKS.at(-1) ?? 0;
  const all = truths.map((truth) => drawCaseRuns(world, truth, { treatment: most, baseline: most, random }));
  const upTo = (runs: number) =>
    all.map(({ treatment, baseline }) => ({
      treatment: treatment.slice(0, runs),
      baseline: baseline.slice(0, runs),
    }));
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

/** Four drafts that change nothing, explored with two runs each; the best is confirmed with five fresh ones. */
function improve({ world, cases, random }: Draw): boolean {
  const truths = Array.from({ length: cases }, () => drawCase(world, random));
  const explored = () => mean(truths.map((truth) => drawScore(world, truth.baseline, random))) ?? 0;
  const first = explored() + explored();
  const drafts = Array.from({ length: 4 }, () => explored() + explored());
  if (Math.max(...drafts) <= first) return false;
  const test = withinCaseTest(
    truths.map((truth) => drawCaseRuns(world, truth, { treatment: 5, baseline: 5, random })),
  );
  return test !== null && test.lift > 0 && test.pValue <= 0.05;
}
