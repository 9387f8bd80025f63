import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { countCodePoints } from "./code-points.ts";
import { findInFile } from "./find-in-file.ts";
import { readEnd, readStart } from "./text-edges.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-scan-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "text");

const CHUNK = 1 << 20;

async function scan(text: string, needle: string, ignoreCase = false) {
  writeFileSync(path, text);
  const [sighting = null] = await findInFile(path, [{ text: needle, ignoreCase }]);
  return { codePoints: await countCodePoints(path), sighting };
}

describe("findInFile and countCodePoints", () => {
  it.each([-40, -7, -6, -5, -1, 0, 1])(
    "finds a needle that begins %d bytes from the end of a piece",
    async (offset) => {
      const before = "x".repeat(CHUNK + offset - 1);
      for (const ignoreCase of [false, true]) {
        const { sighting, codePoints } = await scan(
          `${before}\nnéedle\nrest`,
          ignoreCase ? "NÉEDLE" : "néedle",
          ignoreCase,
        );
        expect(sighting).toEqual({ line: 2, excerpt: "néedle" });
        expect(codePoints).toBe(CHUNK + offset + 11);
      }
    },
  );

  it.each([-2, -1, 0, 1])(
    "reads a CRLF that begins %d bytes from the end of a piece as one newline",
    async (offset) => {
      const { sighting, codePoints } = await scan(`${"x".repeat(CHUNK + offset)}\r\nb`, "x\nb");
      expect(codePoints).toBe(CHUNK + offset + 2);
      expect(sighting?.line).toBe(1);
    },
  );

  it("counts lines over many pieces, for needles near and far", async () => {
    const line = `${"y".repeat(99)}\n`;
    const lines = Math.ceil((3.5 * CHUNK) / 100);
    writeFileSync(path, `first\n${line.repeat(lines)}last one\n`);
    const needles = ["first", "yy\ny", "last"].map((text) => ({ text, ignoreCase: false }));
    const sightings = await findInFile(path, [...needles, { text: "LAST", ignoreCase: true }]);
    expect(sightings.map((sighting) => sighting?.line)).toEqual([1, 2, lines + 2, lines + 2]);
    expect(sightings[3]?.excerpt).toBe("last one");
  });

  it("finds a needle longer than a piece", async () => {
    const needle = "ab".repeat(CHUNK);
    expect((await scan(`..${needle}..`, needle)).sighting?.line).toBe(1);
    expect((await scan(`..${needle.slice(1)}..`, needle)).sighting).toBeNull();
  });

  it("shows the part of a long line around the needle, without broken characters", async () => {
    const { sighting } = await scan(`${"é".repeat(500)}needle${"é".repeat(500)}`, "needle");
    expect(sighting?.excerpt).toMatch(/^é+needleé+$/);
    expect(sighting?.excerpt.length).toBeLessThan(200);
  });

  it("shows no half of a character that the excerpt cuts through", async () => {
    for (const before of ["", "x"]) {
      const { sighting } = await scan(`${before}${"😀".repeat(500)}needle${"😀".repeat(500)}`, "needle");
      expect(sighting?.excerpt).toMatch(/^(?:😀)+needle(?:😀)+$/u);
    }
  });

  it.each([
    ["10K", "10\u212a"],
    ["ISTANBUL", "istanbul"],
    ["i\u0307", "\u0130stanbul"],
    ["ÉTÉ", "un été"],
    ["ÉTÉ À LA", "l'Été à la mer"],
    ["straße", "STRAßE"],
  ])("finds %j in %j in any case, as the lower case of both has it", async (needle, text) => {
    const found = text.toLowerCase().includes(needle.toLowerCase());
    expect(found).toBe(true);
    expect((await scan(text, needle, true)).sighting).toEqual({ line: 1, excerpt: text });
  });

  it("reads an empty file", async () => {
    expect(await scan("", "x")).toEqual({ codePoints: 0, sighting: null });
  });

  it("counts code points and newlines as Python's text files do", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "é", "€", "😀", "\n", "\r"),
      maxLength: 50,
      size: "max",
    });
    await fc.assert(
      fc.asyncProperty(text, text, async (content, needle) => {
        const plain = (written: string) => written.replaceAll(/\r\n?/g, "\n");
        const { codePoints, sighting } = await scan(content, needle);
        expect(codePoints).toBe(Array.from(plain(content)).length);
        if (content === "") return;
        const seen = needle.includes("\r") ? content : plain(content);
        const at = seen.indexOf(needle);
        expect(sighting?.line ?? null).toBe(at === -1 ? null : seen.slice(0, at).split("\n").length);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the edges of a file", () => {
  it("are at least as long as asked for, and whole characters", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "é", "€", "😀", "\r\n", " "),
      maxLength: 3000,
      size: "max",
    });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 600 }), async (content, units) => {
        writeFileSync(path, content);
        for (const asIs of [false, true]) {
          const seen = asIs ? content : content.replaceAll("\r\n", "\n");
          expect((await readStart(path, units, asIs)).slice(0, units)).toBe(seen.slice(0, units));
          expect((await readEnd(path, units, asIs)).slice(-units)).toBe(seen.trimEnd().slice(-units));
        }
      }),
      { numRuns: 100 },
    );
  });
});
