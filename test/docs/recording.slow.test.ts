import { execFileSync } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { builtCommand } from "../support/built-command.ts";
import { ROOT } from "../support/docs/blocks.ts";
import { tempTree } from "../support/temp-tree.ts";

it("the picture of README.md is drawn from the real demo", { timeout: 300_000 }, async () => {
  await using command = await builtCommand();
  const root = dirname(dirname(command.path));
  for (const name of ["examples", "scripts"])
    await cp(join(ROOT, name), join(root, name), { recursive: true });
  await using drawn = await tempTree();
  execFileSync(process.execPath, [join(root, "scripts/recording.js"), drawn.path("demo.svg")]);
  const picture = await readFile(drawn.path("demo.svg"), "utf8");
  expect(rowsOf(picture)).toContain("$ npx assay demo csv-report");
  expect(rowsOf(picture).some((row) => /^csv-report\b.*\bpassed\b/i.test(row))).toBe(true);
  expect(await readFile(join(ROOT, "README.md"), "utf8")).toContain("(docs/demo.svg)");
  const kept = rowsOf(await readFile(join(ROOT, "docs/demo.svg"), "utf8"));
  expect(kept[0]).toBe(rowsOf(picture)[0]);
});

function rowsOf(picture: string): readonly string[] {
  return [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, row = ""]) =>
    row.replaceAll(/<[^>]+>/g, ""),
  );
}
