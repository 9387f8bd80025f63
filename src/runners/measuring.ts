import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bench, BENCH_OPTIONS, type Benchmarks } from "../operations/bench.ts";
import { compare, COMPARE_OPTIONS, type Comparison } from "../operations/compare.ts";
import type { Door } from "../operations/door.ts";
import { NoResultError, noResultOf, type TestingOptions } from "../operations/testing.ts";

/** What a benchmark in a test can be told. */
export interface BenchAsked {
  /** Of each case in each arm. */
  readonly runs?: number;
  /** The smallest difference of pass rates that matters. */
  readonly minEffect?: number;
  /** Only these cases. */
  readonly cases?: readonly string[];
}

/** Two answers to one prompt. */
interface AnswersAsked {
  readonly first: string;
  readonly second: string;
  readonly prompt: string;
}

/** Measurements that are operations of their own; a benchmark has an iteration of its own. */
export interface Measuring {
  /** The test file, absolute. */
  readonly file: string;
  readonly bench: (baseline: string, asked: BenchAsked, spentUsd: number | null) => Promise<Benchmarks>;
  readonly compare: (answers: AnswersAsked) => Promise<Comparison>;
}

/** What `toBeat` compares with, where it is no other version. */
export const NO_SKILL = "no skill";

export function measuringOf({ skill, file, evals, ...options }: TestingOptions, door: Door): Measuring {
  return {
    file: file ?? "",
    bench: (baseline, asked, spentUsd) => {
      const most = options.maxCostUsd ?? null;
      const left = most === null ? null : most - (spentUsd ?? 0);
      if (left !== null && left <= 0)
        throw new NoResultError("budget", "no result (budget): nothing is left for a benchmark");
      return inFolder(async (empty) => {
        const benched = await bench(
          {
            ...knownTo(BENCH_OPTIONS, options),
            ...asked,
            targets: [skill ?? ""],
            evals,
            mode: "artifact",
            against: baseline === NO_SKILL ? null : baseline,
            maxCostUsd: left,
            projectRoot: options.projectRoot ?? empty,
          },
          door,
        );
        const runs = benched.reports.flatMap(({ evaluated }) => [...evaluated.runs.values()]);
        const missed = runs.find(({ run }) => run.replay?.match === "miss");
        if (missed !== undefined) throw noResultOf(missed.run);
        return benched;
      });
    },
    compare: ({ first, second, prompt }) =>
      inFolder(async (folder) => {
        const [one, other] = [join(folder, "first.txt"), join(folder, "second.txt")];
        await writeFile(one, first);
        await writeFile(other, second);
        return compare({ ...knownTo(COMPARE_OPTIONS, options), first: one, second: other, prompt }, door);
      }),
  };
}

/** Those of the options that the operation has too. */
function knownTo<T extends object>(table: T, options: TestingOptions) {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(table, name))) as Pick<
    TestingOptions,
    keyof T & keyof TestingOptions
  >;
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "assay-test-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
