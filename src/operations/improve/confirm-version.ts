import { foundBy } from "../../improve/loop/confirmation.ts";
import type { Confirmed, Stopped } from "../../improve/loop/improve.ts";
import type { CaseSplit } from "../../improve/loop/split-cases.ts";
import type { Case } from "../../domain/suite.ts";
import { benchmarkOf } from "../../report/benchmark/benchmark.ts";
import { whyOpen } from "./measure.ts";
import type { VersionRunner } from "./run-version.ts";
import type { Versions } from "./versions.ts";

interface Confirming {
  readonly runner: VersionRunner;
  readonly versions: Versions;
  readonly cases: readonly Case[];
  readonly split: CaseSplit;
  /** Of each version on each case. */
  readonly runs: number;
  /** The iterations up to this one were explored. */
  readonly after: number;
  readonly allowMissing: number;
}

/** Runs both versions anew, side by side, on all cases, and compares them as a benchmark does. */
export async function confirmVersion(
  version: number,
  against: number,
  { runner, versions, cases, split, runs, after, allowMissing }: Confirming,
  signal: AbortSignal,
): Promise<Confirmed | Stopped> {
  const named = async (number: number) => {
    const draft = await versions.read(number);
    if (draft === null) throw new Error(`v${number} is missing`);
    return { name: `v${number}`, skill: versions.skill(draft) };
  };
  const [newer, older] = [await named(version), await named(against)];
  const run = await runner.runBoth({ newer, older, cases, runs, after }, signal);
  const name = `the fresh runs of ${newer.name} and ${older.name}`;
  const open = whyOpen(name, run, allowMissing);
  if (open !== null) return open;
  const { iteration } = run.state;
  const summary = iteration === null ? null : benchmarkOf({ ...run.state, iteration });
  const found = summary && foundBy(summary, { iteration: iteration?.number ?? 0, split });
  if (found === null || found.verdict === "invalid")
    return { status: "stopped", why: "unfinished", message: `${name} cannot be compared: none was scored` };
  return { status: "confirmed", found };
}
