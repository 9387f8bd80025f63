import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { diskFault } from "../domain/disk-fault.ts";
import { UserError } from "../domain/user-error.ts";
import { syncFolder } from "../lib/atomic-file.ts";
import { isLocked } from "../lib/file-lock.ts";
import { makeFolder } from "../lib/make-folder.ts";
import { type IterationFolder, iterationFolder, type SuiteFolder } from "./layout.ts";
import { makeResultsRoot } from "./results-root.ts";

export interface NumberedIteration {
  readonly number: number;
  readonly folder: IterationFolder;
}

/** All iterations of a suite, oldest first; none when the folder is not there. */
export async function listIterations(suiteRoot: string): Promise<readonly NumberedIteration[]> {
  const names = await namesIn(suiteRoot);
  return names
    .flatMap((name) => {
      const number = /^iteration-([1-9]\d{0,8})$/.exec(name)?.[1];
      return number === undefined
        ? []
        : [{ number: Number(number), folder: iterationFolder(join(suiteRoot, name)) }];
    })
    .sort((a, b) => a.number - b.number);
}

/** The folder names of the suites that have iterations, in the order of the alphabet; `results` is the `.assay` folder. */
export async function listSuites(results: string): Promise<readonly string[]> {
  const found = await Promise.all(
    (await namesIn(results)).map(async (name) =>
      (await listIterations(join(results, name))).length > 0 ? [name] : [],
    ),
  );
  return found.flat().toSorted();
}

/** Makes the next iteration's folder; runners that start at the same moment get one each. */
export async function createIteration(suite: SuiteFolder): Promise<NumberedIteration> {
  try {
    await makeResultsRoot(dirname(suite.root));
    await makeFolder(suite.root);
    let number = ((await listIterations(suite.root)).at(-1)?.number ?? 0) + 1;
    while (!(await makeNew(suite.iteration(number).root))) number++;
    await syncFolder(suite.root);
    return { number, folder: suite.iteration(number) };
  } catch (error) {
    const fault = diskFault(error, suite.root);
    if (fault !== null) throw fault;
    throw new UserError(
      "store/unwritable",
      `cannot make a result folder in ${suite.root}: ${(error as Error).message}`,
      {
        hint: "check the permissions, or choose another folder with --workspace",
        cause: error,
      },
    );
  }
}

/** The newest iteration if its runner was killed before it wrote down what to run; null: that is another one's, or there is none. */
export async function unbegunIteration(suiteRoot: string): Promise<NumberedIteration | null> {
  const newest = (await listIterations(suiteRoot)).at(-1);
  if (newest === undefined) return null;
  const { manifest, journal, lock } = newest.folder;
  const [began, wrote] = await Promise.all([manifest, journal].map(sizeOf));
  return began === null && (wrote ?? 0) === 0 && !(await isLocked(lock)) ? newest : null;
}

async function sizeOf(path: string): Promise<number | null> {
  return (await stat(path).catch(() => null))?.size ?? null;
}

async function makeNew(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
