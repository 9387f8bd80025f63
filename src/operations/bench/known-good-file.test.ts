import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTempFolder } from "../../engine/run-folder.ts";
import type { KnownGood } from "../../report/benchmark/known-good.ts";
import { entryFor, readKnownGood, updateKnownGood } from "./known-good-file.ts";

const good = (parts: Partial<KnownGood> = {}): KnownGood => ({
  harness: "claude-code",
  model: "m-1",
  iteration: 3,
  at: "2026-01-15T10:30:00.000Z",
  skill: null,
  cases: { "1": { c1: { asks: "abc", runs: "pp" } } },
  ...parts,
});

describe("assay-baseline.json", () => {
  it("knows nothing where there is none", async () => {
    await inTempFolder(async (folder) => {
      const file = await readKnownGood(join(folder, "assay-baseline.json"));
      expect(entryFor(file, "greeter", good())).toBeNull();
    });
  });

  it("keeps one entry for each skill, agent and model, and replaces only that", async () => {
    await inTempFolder(async (folder) => {
      const path = join(folder, "assay-baseline.json");
      await updateKnownGood(path, "greeter", good());
      await updateKnownGood(path, "greeter", good({ model: null }));
      await updateKnownGood(path, "csv", good());
      await updateKnownGood(path, "greeter", good({ iteration: 4 }));
      const file = await readKnownGood(path);
      expect(entryFor(file, "greeter", good())?.iteration).toBe(4);
      expect(entryFor(file, "greeter", good({ model: null }))?.iteration).toBe(3);
      expect(entryFor(file, "csv", good())?.iteration).toBe(3);
      expect(entryFor(file, "csv", good({ harness: "codex" }))).toBeNull();
    });
  });

  it("is the same text in whichever order it was written, so that diffs are small", async () => {
    await inTempFolder(async (folder) => {
      const updates = [
        ["greeter", good()],
        ["csv", good()],
        ["greeter", good({ harness: "codex" })],
      ] as const;
      const texts = await Promise.all(
        [updates, updates.toReversed()].map(async (all, at) => {
          const path = join(folder, `${at}.json`);
          for (const [skill, entry] of all) await updateKnownGood(path, skill, entry);
          return readFile(path, "utf8");
        }),
      );
      expect(texts[0]).toBe(texts[1]);
      expect(texts[0]).toMatch(/\n$/);
    });
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["another schema", '{"schema": 1, "skills": {}}'],
    ["no skills", '{"schema": 2}'],
    ["null for skills", '{"schema": 2, "skills": null}'],
    ["a list of skills", '{"schema": 2, "skills": []}'],
  ])("is refused with the way out where it holds %s, and is left as it is", async (_, text) => {
    await inTempFolder(async (folder) => {
      const path = join(folder, "assay-baseline.json");
      await writeFile(path, text);
      const refusal = { code: "bench/bad-baseline", hint: expect.stringContaining("--update-baseline") };
      await expect(readKnownGood(path)).rejects.toMatchObject(refusal);
      await expect(updateKnownGood(path, "greeter", good())).rejects.toMatchObject(refusal);
      expect(await readFile(path, "utf8")).toBe(text);
    });
  });
});
