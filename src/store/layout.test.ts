import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleCase, sampleTrial } from "./fixtures/samples.ts";
import { caseFolders, evalIds, projectFolder, runFolderOf, slug, suiteFolderName } from "./layout.ts";

describe("paths", () => {
  const iteration = projectFolder("/p/.assay").suite("cards").iteration(3);

  it("follow the drawn tree", () => {
    const suite = projectFolder("/p/.assay").suite("cards");
    const run = iteration.run("eval-1-ocean/with_skill/run-2");
    const comparison = suite.versionComparison(1, 0);
    const root = join("/p", ".assay", "cards");
    const expected: [string, string][] = [
      [suite.history, join(root, "history.json")],
      [suite.trend, join(root, "trend.jsonl")],
      [suite.version(2).skill, join(root, "v2", "skill")],
      [comparison.comparison(3), join(root, "grading", "v1-vs-v0", "comparison-3.json")],
      [suite.comparison(2, 1).root, join(root, "grading", "iteration-2-vs-iteration-1")],
      [comparison.analysis, join(root, "grading", "v1-vs-v0", "analysis.json")],
      [iteration.manifest, join(root, "iteration-3", "run.json")],
      [iteration.journal, join(root, "iteration-3", "journal.jsonl")],
      [iteration.benchmark, join(root, "iteration-3", "benchmark.json")],
      [
        iteration.case("eval-1-ocean").metadata,
        join(root, "iteration-3", "eval-1-ocean", "eval_metadata.json"),
      ],
      [
        iteration.case("eval-1-ocean").variantMetadata("with_skill"),
        join(root, "iteration-3", "eval-1-ocean", "with_skill", "eval_metadata.json"),
      ],
      [
        run.metrics,
        join(root, "iteration-3", "eval-1-ocean", "with_skill", "run-2", "outputs", "metrics.json"),
      ],
      [run.grading, join(root, "iteration-3", "eval-1-ocean", "with_skill", "run-2", "grading.json")],
    ];
    for (const [path, wanted] of expected) expect(path).toBe(wanted);
  });

  it("keep set-aside attempts out of what skill-creator's tools count as evals and runs", () => {
    const path = iteration.attempt("eval-1/with_skill/run-1", 2);
    expect(path).toBe(join(iteration.root, "attempts", "eval-1~with_skill~run-1", "2"));
  });
});

describe("caseFolders", () => {
  it.each([
    [sampleCase({ id: "1" }), "eval-1"],
    [sampleCase({ id: "1", name: "Ocean: a poem!" }), "eval-1-ocean-a-poem"],
    [sampleCase({ id: "ocean-poem", name: "Ocean Poem" }), "eval-ocean-poem"],
    [sampleCase({ id: "7", name: "日本語" }), "eval-7"],
    [sampleCase({ id: "7", name: "Crème brûlée" }), "eval-7-creme-brulee"],
    [sampleCase({ id: "q", kind: "trigger" }), "triggers/q001"],
  ])("names %#", (one, folder) => {
    expect(caseFolders([one]).get(one.id)).toBe(folder);
  });

  it("never gives two cases one folder, also without regard to capitals", () => {
    const cases = [
      sampleCase({ id: "1", name: "2" }),
      sampleCase({ id: "1-2" }),
      sampleCase({ id: "A" }),
      sampleCase({ id: "a" }),
    ];
    expect([...caseFolders(cases).values()]).toEqual(["eval-1-2", "eval-1-2_2", "eval-A", "eval-a_2"]);
  });

  it("lets a case keep the folder it had, and gives that to nobody else", () => {
    const cases = [sampleCase({ id: "new", kind: "trigger" }), sampleCase({ id: "old", kind: "trigger" })];
    const folders = caseFolders(cases, new Map([["old", "triggers/q001"]]));
    expect(Object.fromEntries(folders)).toEqual({ new: "triggers/q001_2", old: "triggers/q001" });
  });

  it("is one to one for any names (property)", () => {
    const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/, { size: "max" });
    const one = fc.record({
      id: fc.oneof(fc.stringMatching(/^[A-Ba-b0-1]{1,2}$/), id),
      name: fc.option(fc.string({ maxLength: 100, size: "max" })),
      kind: fc.constantFrom("task" as const, "trigger" as const),
    });
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: ({ id }) => id }), (changes) => {
        const folders = [...caseFolders(changes.map(sampleCase)).values()].map((folder) =>
          folder.toLowerCase(),
        );
        expect(new Set(folders).size).toBe(changes.length);
        for (const folder of folders)
          expect(folder).toMatch(/^(eval-[a-z0-9._-]{1,165}|triggers\/q\d{3,}(_\d+)?)$/);
      }),
    );
  });
});

it.each([
  ["eval-1", sampleTrial({ variant: "without_skill", repetition: 3 }), "eval-1/without_skill/run-3"],
  ["triggers/q002", sampleTrial({ variant: "with_skill", repetition: 2 }), "triggers/q002/with_skill/run-2"],
  ["triggers/q002", sampleTrial({ variant: "old_skill", repetition: 2 }), "triggers/q002/old_skill/run-2"],
])("runFolderOf(%s) %#", (folder, trial, expected) => {
  expect(runFolderOf(folder, trial)).toBe(expected);
});

describe("evalIds", () => {
  it("keeps integers", () => {
    const cases = [sampleCase({ id: "0", declaredId: 0 }), sampleCase({ id: "7", declaredId: 7 })];
    expect([...evalIds(cases).values()]).toEqual([0, 7]);
  });

  it.each([
    ["a string among them", ["x", 7], [8, 7]],
    ["none declared", [null, 7], [8, 7]],
    ["the same twice", [7, 7], [7, 8]],
    ["strings alone", ["x", "y"], [1, 2]],
  ])("keeps numbers and counts on from the largest with %s", (_, declared, expected) => {
    const cases = declared.map((declaredId, index) => sampleCase({ id: `c${index}`, declaredId }));
    const ids = evalIds(cases);
    expect(cases.map(({ id }) => ids.get(id))).toEqual(expected);
  });

  it("leaves trigger cases out", () => {
    expect(
      evalIds([sampleCase({ id: "q", kind: "trigger" }), sampleCase({ id: "3", declaredId: 3 })]),
    ).toEqual(new Map([["3", 3]]));
  });
});

it.each([
  ["pdf-tools", "pdf-tools"],
  ["cache", "cache_"],
  ["Cassettes", "Cassettes_"],
  ["my.skill_2", "my.skill_2"],
])("suiteFolderName(%s)", (name, folder) => {
  expect(suiteFolderName(name)).toBe(folder);
});

/** Up to and beyond the longest that is taken as it is, many of them alike for long. */
const suiteName = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme", maxLength: 130, size: "max" }),
  fc.stringMatching(/^[a-z][a-z.-]{90,110}$/, { size: "max" }),
  fc.stringMatching(/^x{98,102}[.!]?$/, { size: "max" }),
);

it("makes any name a safe folder, and different names different ones (property)", () => {
  fc.assert(
    fc.property(suiteName, suiteName, (a, b) => {
      expect(suiteFolderName(a)).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
      expect(suiteFolderName(a) === suiteFolderName(b)).toBe(a === b);
    }),
  );
});

it("cuts a slug at its length without a trailing hyphen", () => {
  expect(slug("aaaa bbbb", 5)).toBe("aaaa");
  const text = fc.string({ unit: "grapheme", maxLength: 90, size: "max" });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 60 }), (words, maxLength) => {
      expect(slug(words, maxLength)).toMatch(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?$/);
      expect(slug(words, maxLength).length).toBeLessThanOrEqual(maxLength);
    }),
  );
});
