import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { secretMask } from "../lib/secret-mask.ts";
import {
  finishRemovals,
  planRemovals,
  removeIteration,
  type Retention,
  type StoredIteration,
  storedIterations,
} from "./clean.ts";
import { openIteration } from "./iteration.ts";
import { iterationFolder, projectFolder } from "./layout.ts";

const DAY = 86_400_000;
const NOW = new Date("2026-06-01T00:00:00Z");
const NOTHING: Retention = { maxAgeMs: null, keep: null, maxBytes: null };

function stored(
  number: number,
  change: Partial<StoredIteration> & { readonly days?: number } = {},
): StoredIteration {
  const { days = 10 - number, ...rest } = change;
  return {
    suite: "cards",
    number,
    folder: iterationFolder(`/a/cards/iteration-${number}`),
    bytes: 100,
    changedAt: new Date(NOW.getTime() - days * DAY),
    running: false,
    ...rest,
  };
}

function plan(all: readonly StoredIteration[], retention: Partial<Retention>): string[] {
  return planRemovals(all, { ...NOTHING, ...retention }, NOW).map(
    ({ iteration, reason }) => `${iteration.suite} ${iteration.number} ${reason}`,
  );
}

describe("planRemovals", () => {
  const four = [1, 2, 3, 4].map((number) => stored(number));

  it.each([
    ["no bound", {}, []],
    ["age", { maxAgeMs: 7.5 * DAY }, ["cards 1 age", "cards 2 age"]],
    ["count", { keep: 1 }, ["cards 1 count", "cards 2 count", "cards 3 count"]],
    ["a count of none", { keep: 0 }, ["cards 1 count", "cards 2 count", "cards 3 count", "cards 4 count"]],
    ["size", { maxBytes: 250 }, ["cards 1 size", "cards 2 size"]],
    ["a size that fits", { maxBytes: 400 }, []],
    [
      "all at once",
      { maxAgeMs: 8.5 * DAY, keep: 2, maxBytes: 100 },
      ["cards 1 age", "cards 2 count", "cards 3 size"],
    ],
  ] as const)("by %s", (_, retention, expected) => {
    expect(plan(four, retention)).toEqual(expected);
  });

  it("counts by suite, and by number rather than by time", () => {
    const all = [stored(1, { days: 0 }), stored(2, { days: 5 }), stored(1, { suite: "pdf" })];
    expect(plan(all, { keep: 1 })).toEqual(["cards 1 count"]);
  });

  it("never takes what is running, and counts its size", () => {
    const all = [stored(1, { running: true }), stored(2), stored(3)];
    expect(plan(all, { maxAgeMs: 0, keep: 0, maxBytes: 0 })).toEqual(["cards 2 age", "cards 3 age"]);
    expect(plan(all, { maxBytes: 150 })).toEqual(["cards 2 size", "cards 3 size"]);
  });

  it("keeps within every bound whatever there is, and never takes what runs (property)", () => {
    const one = fc.record({
      number: fc.integer({ min: 1, max: 50 }),
      days: fc.integer({ min: 0, max: 60 }),
      bytes: fc.nat(1000),
      running: fc.boolean(),
    });
    const bound = fc.option(fc.nat(20));
    fc.assert(
      fc.property(
        fc.uniqueArray(one, { selector: ({ number }) => number }),
        bound,
        bound,
        bound,
        (all, days, keep, size) => {
          const iterations = all.map(({ number, ...rest }) => stored(number, rest));
          const retention = {
            maxAgeMs: days === null ? null : days * DAY,
            keep,
            maxBytes: size === null ? null : size * 100,
          };
          const gone = new Set(planRemovals(iterations, retention, NOW).map(({ iteration }) => iteration));
          const idle = iterations.filter((iteration) => !gone.has(iteration) && !iteration.running);
          expect([...gone].some(({ running }) => running)).toBe(false);
          expect(
            idle.filter(({ changedAt }) => days !== null && NOW.getTime() - changedAt.getTime() > days * DAY),
          ).toEqual([]);
          expect(idle.length).toBeLessThanOrEqual(keep ?? Infinity);
          const rest = iterations
            .filter((iteration) => !gone.has(iteration))
            .reduce((sum, { bytes }) => sum + bytes, 0);
          expect(idle.length === 0 || size === null || rest <= size * 100).toBe(true);
        },
      ),
    );
  });
});

describe("on disk", () => {
  let root: string;
  beforeEach(async () => {
    root = join(await mkdtemp(join(tmpdir(), "clean-")), ".assay");
  });
  afterEach(() => rm(join(root, ".."), { recursive: true, force: true }));

  async function make(suite: string, number: number) {
    const folder = projectFolder(root).suite(suite).iteration(number);
    await mkdir(folder.root, { recursive: true });
    await writeFile(folder.summary, "12345");
    return folder;
  }

  it("finds every iteration with its size, age and whether it runs", async () => {
    const first = await make("cards", 1);
    const second = await make("pdf", 2);
    await mkdir(join(root, "cache"), { recursive: true });
    await writeFile(join(root, "cards", "history.json"), "{}");
    const longAgo = new Date("2026-01-01T00:00:00Z");
    await utimes(first.summary, longAgo, longAgo);
    await using runner = await openIteration(second, secretMask([]));
    expect(runner.folder).toBe(second);
    const found = await storedIterations(root);
    expect(found.map(({ suite, number, running }) => [suite, number, running])).toEqual([
      ["cards", 1, false],
      ["pdf", 2, true],
    ]);
    expect(found[0]).toMatchObject({ bytes: 5, changedAt: longAgo });
  });

  it("removes one, and nothing else, without following links", async () => {
    const folder = await make("cards", 1);
    await make("cards", 2);
    const outside = join(root, "..", "outside");
    await mkdir(outside);
    await writeFile(join(outside, "precious"), "x");
    await symlink(outside, join(folder.root, "link"));
    expect(await removeIteration({ folder })).toBe(true);
    expect(await readdir(join(root, "cards"))).toEqual(["iteration-2"]);
    expect(await readFile(join(outside, "precious"), "utf8")).toBe("x");
  });

  it("refuses to remove what is running, or gone", async () => {
    const folder = await make("cards", 1);
    {
      await using runner = await openIteration(folder, secretMask([]));
      expect(runner.earlier.iteration).toBeNull();
      expect(await removeIteration({ folder })).toBe(false);
      expect(await readFile(folder.summary, "utf8")).toBe("12345");
    }
    expect(await removeIteration({ folder })).toBe(true);
    expect(await removeIteration({ folder })).toBe(false);
  });

  it("finishes what a crash interrupted", async () => {
    await make("cards", 1);
    await mkdir(join(root, "cards", ".removing-iteration-7-1", "outputs"), { recursive: true });
    expect(await finishRemovals(root)).toBe(1);
    expect(await readdir(join(root, "cards"))).toEqual(["iteration-1"]);
  });

  it("finds nothing where there is nothing", async () => {
    expect(await storedIterations(join(root, "gone"))).toEqual([]);
    expect(await finishRemovals(join(root, "gone"))).toBe(0);
  });
});
