import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { analysisReader } from "../../src/store/read/analysis.ts";
import { comparisonReader } from "../../src/store/read/comparison.ts";
import { expectGolden } from "../support/golden.ts";
import { type ExampleProject, FIXTURES } from "./example-project.ts";
import { hasSeed, seedProblems } from "./seed-shape.ts";

/** Holds everything in the folder to the reviewed one, to our readers, and to the published schemas. */
export async function expectArtifacts(
  project: Pick<ExampleProject, "root" | "path">,
  folder: string,
  golden: string,
): Promise<void> {
  const root = project.path(folder);
  const files = (await readdir(root)).toSorted();
  await expectGolden(join(FIXTURES, golden), { root, files, project: project.root });
  for (const file of files.filter((name) => /^(?:comparison|analysis)/.test(name))) {
    const [name, reader] = file.startsWith("analysis")
      ? (["analysis.json", analysisReader] as const)
      : (["comparison.json", comparisonReader] as const);
    expect((await reader.read(join(root, file))).diagnostics).toEqual([]);
    if (!hasSeed) continue;
    const written = JSON.parse(await readFile(join(root, file), "utf8")) as unknown;
    expect(seedProblems(name, written)).toEqual([]);
  }
}

/** The one comparison that is not of two iterations. */
export async function onlyComparison(project: Pick<ExampleProject, "path">): Promise<string> {
  const [only, another] = await readdir(project.path(".assay/comparisons"));
  expect(another).toBeUndefined();
  return `.assay/comparisons/${only}`;
}
