import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { loadTargets } from "../../src/load/load.ts";
import { describeCorpus } from "../support/corpus.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const OF_FOLDER: Readonly<Record<string, string>> = {
  clauditor: "clauditor",
  skillet: "Skillet",
  bmad: "BMad",
  "skill-creator-evals": "skill-creator",
  "trigger-sets": "skill-creator",
  "other-skill-evals": "other tools",
};

/** Everything that may be wrong with a published file, as somebody who has read the format documents would say it. */
const AGREED: readonly RegExp[] = [
  /^clauditor: .* unknown key "value"$/,
  /^BMad: this is the (?:fragment-selection|interview) shape of/,
  /^other tools: this is the metadata of one eval in a result folder/,
  /^other tools: these are the results of a trigger run/,
  /^other tools: this is a single eval, not a file of evals$/,
  /^other tools: the list fits two formats: /,
  /^other tools: a list "cases" whose entries have .* is another format/,
  /^other tools: the file has neither a list "evals" nor trigger queries/,
  /^other tools: raw line break in a string/,
];

describeCorpus("every published eval file", "corpus/INDEX.tsv", (index) => {
  it("loads where its author put it, or is refused for a reason that a person agrees with", async () => {
    const rows = (await readFile(index, "utf8")).trimEnd().split("\n").slice(1);
    await using tree = await tempTree({});
    const counts = new Map<string, { files: number; loaded: number }>();
    const refused: string[] = [];
    for (const [number, row] of rows.entries()) {
      const [folder = "", file = "", , path = ""] = row.split("\t");
      const format = OF_FOLDER[folder];
      if (format === undefined) continue;
      const place = tree.path(join(String(number), path));
      await put(join(dirname(index), folder, file), place);
      const problem = await problemWith(place, tree);
      const { files, loaded } = counts.get(format) ?? { files: 0, loaded: 0 };
      counts.set(format, { files: files + 1, loaded: loaded + (problem === null ? 1 : 0) });
      if (problem !== null) refused.push(`${format}: ${problem}`);
    }
    for (const [format, { files, loaded }] of counts)
      console.log(`corpus: ${format}: ${loaded} of ${files} files load`);
    expect(refused.filter((reason) => !AGREED.some((agreed) => agreed.test(reason)))).toEqual([]);
    expect(counts.get("skill-creator")?.loaded).toBe(counts.get("skill-creator")?.files);
    expect(counts.get("Skillet")?.loaded).toBe(counts.get("Skillet")?.files);
  }, 60_000);
});

/** With the input files that a spec declares, which the collection lacks. */
async function put(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
  if (!to.endsWith(".eval.json")) return;
  const { input_files: inputs = [] } = JSON.parse(await readFile(to, "utf8")) as { input_files?: string[] };
  for (const input of inputs) {
    await mkdir(dirname(join(dirname(to), input)), { recursive: true });
    await writeFile(join(dirname(to), input), "x");
  }
}

async function problemWith(place: string, { root }: TempTree): Promise<string | null> {
  const { suites, diagnostics } = await loadTargets([place], {
    cwd: root,
    evals: null,
    skill: null,
    skilletDir: null,
    home: null,
    lint: null,
  });
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined) return error.message;
  return suites.some(({ cases }) => cases.length > 0) ? null : "nothing was loaded, and nothing is said";
}
