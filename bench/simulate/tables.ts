import { pairCases } from "../../src/stats/case-pairs.ts";
import { differencesOf } from "../../src/stats/case-pairs.ts";
import { liftInterval } from "../../src/stats/lift-interval.ts";
import { seededRandom } from "../../src/stats/random.ts";
import { signFlipTest } from "../../src/stats/sign-flip.ts";
import { compareOnTheseCases } from "../../src/stats/these-cases.ts";
import { withinCaseTest } from "../../src/stats/within-case.ts";
import { adoptsDescription } from "./description.ts";
import { GATES, looksAt } from "./gates.ts";
import { adoptsByMajority, adoptsConfirmed } from "./improve.ts";
import { JUDGES, winsByCase, winsByCoins, winsByPair, winsByRoundRobin } from "./judges.ts";
import { drawCase, drawCaseRuns, WORLDS } from "./worlds.ts";

export interface Cell {
  readonly what: string;
  readonly cases: number;
  readonly share: number;
  readonly trials: number;
}

export interface Row {
  readonly name: string;
  readonly cells: readonly Cell[];
}

export const CASES: readonly number[] = [2, 3, 4, 5, 8, 12, 20];
export const RUNS: readonly number[] = [1, 3, 5];

type Happens = (random: () => number) => boolean;

function share(what: string, trials: number, happens: Happens): number {
  const random = seededRandom(seedOf(what));
  let count = 0;
  for (let trial = 0; trial < trials; trial++) if (happens(random)) count++;
  return count / trials;
}

/** A seed of its own for each cell, so that a cell can be drawn again alone. */
function seedOf(what: string): number {
  let seed = 17;
  for (const letter of what) seed = (seed * 31 + (letter.codePointAt(0) ?? 0)) % 4_294_967_291;
  return seed;
}

/** The world in which the gate does worst. */
export function falseAlarms(trials: number): Row[] {
  return GATES.flatMap((gate) =>
    (gate.ownRuns === true ? [0] : RUNS).map((runs) => ({
      name: gate.ownRuns === true ? gate.name : `${gate.name}, ${runs} run${runs === 1 ? "" : "s"}`,
      cells: CASES.map((cases) => {
        const found = WORLDS.map((world) => {
          const what = `${gate.name}/${runs}/${cases}/${world.name}`;
          return {
            what,
            cases,
            trials,
            share: share(what, trials, (random) => gate.alarm({ world, cases, runs, random })),
          };
        });
        return found.reduce((worst, cell) => (cell.share > worst.share ? cell : worst));
      }),
    })),
  );
}

/** Ten runs against one, nothing changed: both tests. */
export function unequalRuns(trials: number): Row[] {
  const tests = [
    { name: "on these cases", p: (runs: Drawn) => withinCaseTest(runs)?.pValue ?? 1 },
    { name: "sign-flip over cases", p: (runs: Drawn) => signFlipTest(differences(runs)) ?? 1 },
  ];
  return tests.map(({ name, p }) => ({
    name,
    cells: CASES.map((cases) => {
      const what = `unequal/${name}/${cases}`;
      const world = { name: "p = 0.9", checks: 1, within: 0, difficulty: () => 0.9 };
      const alarm: Happens = (random) => {
        const drawn = Array.from({ length: cases }, () =>
          drawCaseRuns(world, drawCase(world, random), { treatment: 1, baseline: 10, random }),
        );
        return p(drawn) <= 0.05;
      };
      return { what, cases, trials, share: share(what, trials, alarm) };
    }),
  }));
}

type Drawn = readonly ReturnType<typeof drawCaseRuns>[];

export interface PowerRow {
  readonly lift: number;
  readonly cases: number;
  readonly these: Answer;
  readonly other: Answer;
}

/** How often it decides, how often its interval has the truth (worst world), and how wide that is. */
interface Answer {
  readonly decides: number;
  readonly covers: number;
  readonly width: number;
}

/** Three runs per arm; lifts differ from case to case by up to 0.2. */
export function power(trials: number): PowerRow[] {
  return [0, 0.3, 0.6].flatMap((lift) =>
    CASES.map((cases) => {
      const worlds = WORLDS.map((world) => {
        const random = seededRandom(seedOf(`power/${lift}/${cases}/${world.name}`));
        const sums = { these: [0, 0, 0], other: [0, 0, 0] };
        for (let trial = 0; trial < trials; trial++) {
          const truths = Array.from({ length: cases }, () =>
            drawCase(world, random, { lift, spread: lift === 0 ? 0 : 0.2 }),
          );
          const drawn = truths.map((truth) =>
            drawCaseRuns(world, truth, { treatment: 3, baseline: 3, random }),
          );
          const here = truths.reduce((sum, one) => sum + one.treatment - one.baseline, 0) / cases;
          const these = compareOnTheseCases(drawn);
          add(sums.these, (these.pValue ?? 1) <= 0.05, these.interval, here);
          const gaps = differences(drawn);
          add(sums.other, (signFlipTest(gaps) ?? 1) <= 0.05, liftInterval(gaps), lift);
        }
        return { these: answerOf(sums.these, trials), other: answerOf(sums.other, trials) };
      });
      return {
        lift,
        cases,
        these: over(worlds.map((one) => one.these)),
        other: over(worlds.map((one) => one.other)),
      };
    }),
  );
}

function add(
  sums: number[],
  decided: boolean,
  interval: { low: number; high: number } | null,
  truth: number,
): void {
  if (decided) sums[0] = (sums[0] ?? 0) + 1;
  if (interval !== null && interval.low <= truth + 1e-9 && truth <= interval.high + 1e-9)
    sums[1] = (sums[1] ?? 0) + 1;
  sums[2] = (sums[2] ?? 0) + (interval === null ? 2 : interval.high - interval.low);
}

function answerOf([decides = 0, covers = 0, width = 0]: readonly number[], trials: number): Answer {
  return { decides: decides / trials, covers: covers / trials, width: width / trials };
}

function over(answers: readonly Answer[]): Answer {
  const mean = (of: (answer: Answer) => number) =>
    answers.reduce((sum, one) => sum + of(one), 0) / answers.length;
  return {
    decides: mean((one) => one.decides),
    covers: Math.min(...answers.map((one) => one.covers)),
    width: mean((one) => one.width),
  };
}

export interface LooksRow {
  readonly lift: number;
  readonly cases: number;
  readonly decided: number;
  readonly futile: number;
  readonly runs: number;
}

export function looks(trials: number): LooksRow[] {
  return [0, 0.3, 0.6].flatMap((lift) =>
    [2, 3, 5, 8].map((cases) => {
      const found = WORLDS.flatMap((world) => {
        const random = seededRandom(seedOf(`looks/${lift}/${cases}/${world.name}`));
        return Array.from({ length: trials }, () => looksAt({ world, cases, random, lift }));
      });
      const part = (is: (one: (typeof found)[number]) => boolean) => found.filter(is).length / found.length;
      const runs = found.reduce((sum, one) => sum + one.runs, 0) / found.length;
      return { lift, cases, decided: part((one) => one.found), futile: part((one) => one.stopped), runs };
    }),
  );
}

/** Equal versions, and a second one that is two standard deviations ahead. */
export function judged(
  trials: number,
): { readonly name: string; readonly ahead: number; readonly cells: readonly Cell[] }[] {
  const ways = [
    { name: "before: every judge a coin", outputs: 1, wins: winsByCoins, cases: [2, 3, 5, 8, 12, 20] },
    { name: "3 runs, one voice per pair", outputs: 3, wins: winsByPair, cases: [2, 3, 5, 8, 12, 20] },
    { name: "4 runs, one voice per pair", outputs: 4, wins: winsByPair, cases: [2, 3] },
    { name: "5 runs, one voice per pair", outputs: 5, wins: winsByPair, cases: [2, 3] },
    { name: "one voice per case", outputs: 1, wins: winsByCase, cases: [2, 3, 5, 8, 12, 20] },
    { name: "3 outputs a side, within cases", outputs: 3, wins: winsByRoundRobin, cases: [2, 3, 5, 8] },
  ];
  return [0, 2].flatMap((ahead) =>
    ways.flatMap(({ name, outputs, wins, cases }) =>
      JUDGES.map((judge) => ({
        name: `${name}, ${judge.name} judges`,
        ahead,
        cells: cases.map((count) => {
          const what = `${name}/${judge.name}/${ahead}/${count}`;
          const happens: Happens = (random) => wins({ judge, cases: count, outputs, ahead, random });
          return { what, cases: count, trials, share: share(what, trials, happens) };
        }),
      })),
    ),
  );
}

/** How often a loop adopts drafts that change nothing, harm or help: the worst world, of those that help the mean. */
export function adopted(
  trials: number,
): { readonly effect: number; readonly before: Row; readonly now: Row }[] {
  return [0, -0.3, 0.3].map((effect) => {
    const row = (name: string, adopts: typeof adoptsConfirmed): Row => ({
      name,
      cells: CASES.map((cases) => {
        const what = `adopted/${name}/${effect}/${cases}`;
        const shares = WORLDS.map((world) =>
          share(`${what}/${world.name}`, trials, (random) => adopts({ world, cases, effect, random })),
        );
        const average = shares.reduce((sum, one) => sum + one, 0) / shares.length;
        return { what, cases, trials, share: effect > 0 ? average : Math.max(...shares) };
      }),
    });
    return { effect, before: row("before", adoptsByMajority), now: row("now", adoptsConfirmed) };
  });
}

export interface DescriptionRow {
  readonly name: string;
  readonly shares: readonly number[];
}

export const QUERIES: readonly number[] = [16, 20, 30, 40];

/** How often drafts of a description are confirmed that change nothing, or that make it fire more often. */
export function describedBetter(trials: number): DescriptionRow[] {
  return [
    { original: 0.6, drafts: 0.6 },
    { original: 0.3, drafts: 0.9 },
    { original: 0, drafts: 0.9 },
  ].map((recall) => ({
    name: `${recall.original} to ${recall.drafts}`,
    shares: QUERIES.map((queries) =>
      share(`description/${recall.original}/${recall.drafts}/${queries}`, trials, (random) =>
        adoptsDescription({ queries, recall, random }),
      ),
    ),
  }));
}

function differences(cases: Drawn): number[] {
  const arm = (of: "treatment" | "baseline") => new Map(cases.map((one, at) => [`${at}`, one[of]]));
  return differencesOf(pairCases(arm("treatment"), arm("baseline")));
}
