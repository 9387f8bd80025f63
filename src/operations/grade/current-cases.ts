import { stat } from "node:fs/promises";
import { hasErrors } from "../../domain/diagnostic.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { loadTargets } from "../../load/load.ts";
import { loadOptions, type LoadPlugins } from "../../engine/load-suites.ts";
import type { Machine } from "../../machine.ts";

/** Which checks an iteration is held to. */
export interface ChecksAsked {
  /** The checks of the run, whatever the eval files say now. */
  readonly asRun: boolean;
  readonly evals: string | null;
  readonly skill: string | null;
  /** As the user wrote it; null: it is looked for. */
  readonly projectRoot: string | null;
  /** Formats beyond the built-in ones. */
  readonly plugins: LoadPlugins;
  readonly signal: AbortSignal;
}

interface CurrentCases {
  readonly cases: readonly Case[];
  /** What a person should know about them. */
  readonly notes: readonly string[];
}

/** The cases of an iteration as they were run, with what the eval files now say about grading them. */
export async function currentCases(
  asRun: readonly Case[],
  manifest: Iteration,
  options: ChecksAsked,
  machine: Machine,
): Promise<CurrentCases> {
  if (options.asRun) return { cases: asRun, notes: [] };
  const named = options.evals ?? options.skill;
  const files = named === null ? await stillThere(manifest) : [named];
  if (files === null) {
    const note = "the eval files were not found, so the checks from the run are used; --evals sets others";
    return { cases: asRun, notes: [note] };
  }
  const { plugins, projectRoot, signal } = options;
  const skill = options.evals === null ? null : options.skill;
  const { suites, diagnostics } = await loadTargets(
    files,
    loadOptions({ evals: null, skill, plugins, projectRoot, signal }, machine),
  );
  if (hasErrors(diagnostics)) {
    throw new UserError("load/invalid", "nothing was graded, because the eval files cannot be used", {
      hint: "fix the errors above, or use --as-run to grade by the checks from the run",
      diagnostics: diagnostics.filter(({ severity }) => severity === "error"),
    });
  }
  return joinCases(
    asRun,
    suites.flatMap((suite) => suite.cases),
  );
}

async function stillThere({ evalFiles }: Iteration): Promise<readonly string[] | null> {
  const paths = evalFiles.map(({ path }) => path);
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  return paths.length === 0 || found.includes(null) ? null : paths;
}

/** Trigger queries stay as they were staged: what they ask depends on the skills beside them. */
function joinCases(asRun: readonly Case[], current: readonly Case[]): CurrentCases {
  const notes: string[] = [];
  const cases = asRun.map((one) => {
    if (one.kind === "trigger") return one;
    const now =
      current.find((other) => place(other) === place(one)) ?? current.find(({ id }) => id === one.id);
    if (now === undefined) {
      notes.push(`${one.id} is no longer in the eval files, so the checks from the run are used`);
      return one;
    }
    if (JSON.stringify(now.prompt) !== JSON.stringify(one.prompt)) {
      notes.push(`the prompt of ${one.id} has changed since it was run; assay run asks the new one`);
    }
    const { checks, sections, settings, expectedOutput, at } = now;
    return { ...one, checks, sections, settings, expectedOutput, at };
  });
  return { cases, notes };
}

/** Ids may be changed to be unique among files, so a case is known by its file and what the file calls it. */
function place({ at, declaredId, id }: Case): string {
  return JSON.stringify([at.file, declaredId ?? id]);
}
