import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { lineBlocks, linesIn } from "./line-blocks.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-line-blocks-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MEGABYTE = 1024 * 1024;
const END = 4 * MEGABYTE;

async function blocksOf(text: string, from = 0) {
  const path = join(folder, "lines");
  writeFileSync(path, text);
  const blocks = [];
  for await (const block of lineBlocks(path, from)) blocks.push(block);
  return blocks;
}

describe("the lines of a file, many at once", () => {
  it.each([
    ["lie across the ends of what is read at once", [END - 5, 20, 3 * MEGABYTE, END, 7]],
    ["are longer than what is read at once", [3 * END + 1, 5, 2 * END]],
    ["end where what is read at once ends", [END - 1, END - 1, 3]],
    ["are empty", [0, 0, END - 3, 0, 0]],
  ])("are whole where they %s", async (_, lengths) => {
    const lines = lengths.map((length, at) => String(at).repeat(length));
    const text = lines.map((line) => `${line}\n`).join("");
    const blocks = await blocksOf(text);
    const found = blocks.flatMap(({ bytes }) => linesIn(bytes));
    expect(found.map((line) => `${line[0]} ${line.length}`)).toEqual(
      lines.map((line) => `${line[0]} ${line.length}`),
    );
    let start = 0;
    for (const { bytes, start: said } of blocks) {
      expect(said).toBe(start);
      start += bytes.length;
    }
    expect(start).toBe(text.length);
  });

  it("are read from a place on, and one without its end is left out", async () => {
    const [block, ...others] = await blocksOf("first\nsecond\nthird", 6);
    expect(others).toEqual([]);
    expect(block).toMatchObject({ start: 6 });
    expect(block && linesIn(block.bytes)).toEqual(["second"]);
  });
});
