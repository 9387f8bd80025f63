import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { loadOptions } from "../../engine/load-options.ts";
import { sameCase } from "../../improve/session/same-case.ts";
import { shownPath } from "../../lib/shown-path.ts";
import { loadTargets } from "../../load/load.ts";
import type { OpenDoor } from "../door.ts";

/** The cases that a skill has now; none where it has no evals, or none that can be read. */
export async function casesOf(
  skill: string,
  { machine, config, signal }: Pick<OpenDoor, "machine" | "config" | "signal">,
): Promise<readonly Case[]> {
  const { plugins } = config;
  const { suites } = await loadTargets(
    [skill],
    loadOptions({ evals: null, skill: null, plugins, signal }, machine),
  );
  return suites
    .flatMap(({ cases }) => cases)
    .map((one) => ({ ...one, at: { ...one.at, file: shownPath(one.at.file, machine.cwd) } }));
}

export function refuseSame(prompt: readonly string[], cases: readonly Case[]): void {
  const same = sameCase(prompt, cases);
  if (same === null) return;
  throw new UserError("add/duplicate", `case ${same.id} in ${same.at.file} already has this prompt`, {
    hint: "edit that case, or add this one anyway with --again",
  });
}
