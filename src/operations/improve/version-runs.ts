import type { Case } from "../../domain/suite.ts";
import type { Race } from "./race.ts";
import type { VersionRun, VersionRunner } from "./run-version.ts";
import type { Versions } from "./versions.ts";

/** The run of a version by its number. One that ended is looked up once; one that was cut short is continued. */
export function versionRuns(
  versions: Versions,
  { runner, cases }: { readonly runner: VersionRunner; readonly cases: readonly Case[] },
  signal: AbortSignal,
): (version: number, race?: Race) => Promise<VersionRun> {
  const ended = new Map<number, VersionRun>();
  return async (version, race) => {
    const known = ended.get(version);
    if (known !== undefined) return known;
    const draft = await versions.read(version);
    if (draft === null) throw new Error(`v${version} is missing`);
    const run = await runner.run(versions.skill(draft), cases, signal, race);
    if (run.ended === "complete") ended.set(version, run);
    return run;
  };
}
