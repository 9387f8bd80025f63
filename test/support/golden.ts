import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { expect } from "vitest";

/**
 * Holds written artifacts to a folder of reviewed ones. Times, the place of the project, the length
 * of the judge's questions and digits that nobody reads are not compared. With UPDATE_GOLDEN set the folder is written
 * anew, to be reviewed as a diff.
 */
export async function expectGolden(
  golden: string,
  written: { readonly root: string; readonly files: readonly string[]; readonly project: string },
): Promise<void> {
  const found: Record<string, string> = {};
  for (const file of written.files) {
    const text = (await readFile(join(written.root, file), "utf8")).replaceAll(written.project, "<project>");
    found[file] = file.endsWith(".json") ? normalized(text) : text.replaceAll(TIMESTAMP, "<time>");
  }
  if (process.env["UPDATE_GOLDEN"] !== undefined) await update(golden, found);
  const entries = await readdir(golden, { recursive: true, withFileTypes: true });
  const kept = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const expected = Object.fromEntries(
    await Promise.all(
      kept.map(async (path) => [relative(golden, path), await readFile(path, "utf8")] as const),
    ),
  );
  expect(found).toEqual(expected);
}

async function update(golden: string, found: Readonly<Record<string, string>>): Promise<void> {
  await rm(golden, { recursive: true, force: true });
  for (const [file, text] of Object.entries(found)) {
    await mkdir(dirname(join(golden, file)), { recursive: true });
    await writeFile(join(golden, file), text);
  }
}

const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g;

function normalized(text: string): string {
  const value: unknown = JSON.parse(text);
  const plain = (key: string, inner: unknown): unknown => {
    if (TIMES.test(key) && inner !== null) return "<time>";
    if (key === "judgeUsage") return "<usage>";
    // Which of several equal questions was asked first is chance.
    if (key === "cached") return undefined;
    return typeof inner === "number" ? Number(inner.toFixed(6)) : inner;
  };
  return `${JSON.stringify(value, plain, 2)}\n`;
}

const TIMES = /duration|_start$|_end$|^started_?at$|^created_?at$/i;
