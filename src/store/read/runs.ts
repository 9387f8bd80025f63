import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { foldersIn } from "../folders-in.ts";
import { type RunFolder, runFolder } from "../layout.ts";

/** A run's folder in an iteration of ours, of skill-creator or of agentskills.io. */
export interface FoundRunFolder {
  /** Its eval's folder name, e.g. `eval-1-ocean`. */
  readonly evalFolder: string;
  /** The configuration as the folder spells it, e.g. `with_skill`. */
  readonly configuration: string;
  readonly number: number;
  readonly folder: RunFolder;
}

/**
 * Task runs in the order of their names. Evals lie in the folder or in `runs/` below it and are called anything, because
 * skill-creator asks for descriptive names; a configuration holds `run-K` folders, or, in the flat layout that
 * agentskills.io documents, is itself the only run. A version of the first generation holds its runs in `runs/`.
 */
export async function findRuns(iterationRoot: string): Promise<readonly FoundRunFolder[]> {
  const root = (await foldersIn(iterationRoot)).includes("runs")
    ? join(iterationRoot, "runs")
    : iterationRoot;
  const direct = root === iterationRoot ? [] : await runsOf(root, ONLY_EVAL);
  const numbered = direct.filter(({ folder }) => folder.root !== root);
  if (numbered.length > 0) return numbered;
  const found: FoundRunFolder[] = [];
  for (const evalFolder of (await foldersIn(root)).filter((name) => !NO_EVALS.has(name))) {
    for (const configuration of await foldersIn(join(root, evalFolder))) {
      found.push(...(await runsOf(join(root, evalFolder, configuration), { evalFolder, configuration })));
    }
  }
  return found;
}

/** skill-creator's first generation runs one eval with each version, in `vN/runs/run-K`. It counts evals from 0. */
const ONLY_EVAL = { evalFolder: "eval-0", configuration: "with_skill" };

const NO_EVALS = new Set(["triggers", "attempts"]);

async function runsOf(
  path: string,
  names: { readonly evalFolder: string; readonly configuration: string },
): Promise<FoundRunFolder[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const numbered = entries.flatMap((entry) => {
    const number = entry.isDirectory() ? /^run-(\d{1,9})$/.exec(entry.name)?.[1] : undefined;
    return number === undefined
      ? []
      : [{ ...names, number: Number(number), folder: runFolder(join(path, entry.name)) }];
  });
  if (numbered.length > 0) return numbered.sort((a, b) => a.number - b.number);
  const isRun = entries.some((entry) => FLAT_RUN.has(entry.name));
  return isRun ? [{ ...names, number: 1, folder: runFolder(path) }] : [];
}

const FLAT_RUN = new Set(["outputs", "grading.json", "timing.json"]);
