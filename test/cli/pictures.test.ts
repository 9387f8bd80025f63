import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { compareLift } from "../../src/report/benchmark/compare-lift.ts";
import { tempTree } from "../support/temp-tree.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const IMAGES = join(ROOT, "docs/images");
const page = await readFile(join(ROOT, "docs/statistics.md"), "utf8");

it("draws the pictures that the page shows", async () => {
  await using drawn = await tempTree();
  execFileSync(process.execPath, [join(ROOT, "scripts/pictures.js"), drawn.root]);
  const names = await readdir(drawn.root);
  const kept = (await readdir(IMAGES)).filter((name) => name.endsWith(".svg"));
  expect(names.toSorted()).toEqual(kept.toSorted());
  for (const name of names) {
    expect(page).toContain(`(images/${name})`);
    expect(await readFile(join(drawn.root, name), "utf8")).toBe(await readFile(join(IMAGES, name), "utf8"));
  }
});

it("explains with what the tool says of the example", () => {
  const treatment = new Map([
    ["1", [1, 1, 1]],
    ["2", [1, 1, 1]],
    ["3", [1, 1, 2 / 3]],
  ]);
  const baseline = new Map([
    ["1", [1 / 3, 1 / 3, 1 / 3]],
    ["2", [0, 1 / 3, 2 / 3]],
    ["3", [2 / 3, 1 / 3, 0]],
  ]);
  const { explanation, pValue } = compareLift(
    { treatment, baseline },
    { alpha: 0.05, minEffect: 0, seed: 1 },
  );
  for (const sentence of explanation.split(/(?<=\.) (?=[A-Z])/)) expect(page).toContain(sentence);
  expect(pValue).toBe(4 / 8_000);
});

it("has no formula before the third paragraph", () => {
  const paragraphs = page.split("\n\n").filter((part) => !part.startsWith("#") && !part.startsWith("    "));
  for (const early of paragraphs.slice(0, 3)) expect(early).not.toMatch(/ = |\bp\b|\^|√/);
});
