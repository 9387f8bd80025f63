import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readLines, toJsonLine } from "./jsonl.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "jsonl-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function lines(content: string): Promise<string[]> {
  const path = join(folder, "lines");
  await writeFile(path, content);
  const found: string[] = [];
  for await (const { line, text } of readLines(path)) found.push(`${line} ${text}`);
  return found;
}

it.each([
  ["", []],
  ["a\nb\n", ["1 a", "2 b"]],
  ["a\nunfinished", ["1 a"]],
  ["\n\nx\n", ["1 ", "2 ", "3 x"]],
])("reads whole lines of %j", async (content, expected) => {
  expect(await lines(content)).toEqual(expected);
});

it("joins lines and characters that are cut by the reader's blocks", async () => {
  const long = "é".repeat(100_001);
  expect(await lines(`x${long}\n${long}\n`)).toEqual([`1 x${long}`, `2 ${long}`]);
});

it("round-trips any JSON values (property)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 5 }), async (values) => {
      const found = await lines(values.map(toJsonLine).join(""));
      expect(found.map((line) => JSON.parse(line.replace(/^\d+ /, "")) as unknown)).toEqual(
        JSON.parse(JSON.stringify(values)),
      );
    }),
    { numRuns: 30 },
  );
});
