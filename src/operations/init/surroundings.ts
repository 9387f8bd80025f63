import { existsSync } from "node:fs";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../lib/make-folder.ts";
import { CONFIG_FILES } from "../../load/project-root.ts";
import type { Machine } from "../../machine.ts";
import { makeResultsRoot } from "../../store/results-root.ts";
import { schema as schemaOf } from "../schema.ts";
import { writing } from "../shared/writing.ts";
import { CI_FILES, type CiService } from "./ci.ts";

interface Project {
  readonly root: string;
  readonly ci: CiService;
  readonly isGit: boolean;
}

/** Settings, an entry that keeps results out of git, and the CI file, each only where it is missing. */
export async function writeSurroundings(
  { root, ci, isGit }: Project,
  machine: Machine,
): Promise<{ readonly written: readonly string[]; readonly kept: readonly string[] }> {
  const written: string[] = [];
  const kept: string[] = [];
  const create = async (path: string, text: string): Promise<void> => {
    await writing(path, machine, async () => {
      await makeFolder(dirname(path));
      await writeFile(path, text, { flag: "wx" });
    });
    written.push(path);
  };
  const config = CONFIG_FILES.map((name) => join(root, name)).find((path) => existsSync(path));
  if (config === undefined) {
    await create(join(root, "assay.config.json"), SETTINGS);
    await writeSchema(root, machine);
  } else kept.push(config);
  if (ci !== "none") {
    const path = join(root, CI_FILES[ci].path);
    if (existsSync(path)) kept.push(path);
    else await create(path, CI_FILES[ci].text);
  }
  if (isGit && (await ignoreResults(join(root, ".gitignore"), machine)))
    written.push(join(root, ".gitignore"));
  return { written, kept };
}

/** Where editors find what a configuration may say: among what is not committed, because it follows the version of Assay. */
const SCHEMA = ".assay/schemas/config.json";

/** The defaults, spelled out where people will look for them. */
const SETTINGS = `${JSON.stringify({ $schema: `./${SCHEMA}`, allow_missing: 0, reporter: ["terminal"] }, null, 2)}\n`;

async function writeSchema(root: string, machine: Machine): Promise<void> {
  const { schema } = await schemaOf({ format: "config" }, { machine });
  const path = join(root, SCHEMA);
  await writing(path, machine, async () => {
    await makeResultsRoot(join(root, ".assay"));
    await makeFolder(dirname(path));
    await writeFile(path, `${JSON.stringify(schema, null, 2)}\n`);
  });
}

/** Whether the entry had to be added. */
async function ignoreResults(path: string, machine: Machine): Promise<boolean> {
  const before = await readFile(path, "utf8").catch(() => "");
  if (/^\/?\.assay\/?\s*$/m.test(before)) return false;
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  await writing(path, machine, () => appendFile(path, `${gap}.assay/\n`));
  return true;
}
