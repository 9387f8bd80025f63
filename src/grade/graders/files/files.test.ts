import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { FileClaim, JsonExpectation } from "../../../domain/check.ts";
import type { FileChange } from "../../../domain/run.ts";
import { verdictOn, verdictsOn } from "../../fixtures/decide.ts";

const change = (path: string, how: FileChange["change"]): FileChange => ({
  path,
  change: how,
  bytes: 1,
  sha256: null,
  captured: true,
});
const json = (path: string, at: string, expected: JsonExpectation): FileClaim => ({
  kind: "file_json",
  path,
  at,
  expected,
});
const present: JsonExpectation = { kind: "present" };
const equals = (value: Extract<JsonExpectation, { kind: "equals" }>["value"]): JsonExpectation => ({
  kind: "equals",
  value,
});
const matches = (pattern: string): JsonExpectation => ({ kind: "matches", pattern });

const files = {
  "out/report.md": "# Report\r\n\r\nTotal: 12\r\n",
  "out/data.json": '{"total": 12, "rows": [{"name": "Ada"}, {"name": null}], "odd key": {"a.b": 1}}',
  "out/bom.json": '\uFEFF{"a": 1}',
  "out/broken.json": '{"a": ',
  "notes.txt": "hello",
  ".hidden/x.md": "Total: 13",
  "image.png": Buffer.from([0x89, 0x50, 0xff, 0xfe, 0x00]),
  "huge.log": null,
};

describe("file checks", () => {
  it.each<[string, FileClaim, string]>([
    ["a file", { kind: "file_exists", path: "out/report.md" }, "passed"],
    ["a file spelled with ./", { kind: "file_exists", path: "./out/report.md" }, "passed"],
    ["a glob", { kind: "file_exists", path: "out/*.md" }, "passed"],
    ["a glob over directories", { kind: "file_exists", path: "**/*.md" }, "passed"],
    ["a choice", { kind: "file_exists", path: "out/report.{md,txt}" }, "passed"],
    ["a directory", { kind: "file_exists", path: "out/" }, "passed"],
    ["a part of a name", { kind: "file_exists", path: "out/report" }, "failed"],
    ["a file in another directory", { kind: "file_exists", path: "*.md" }, "failed"],
    ["a name's case", { kind: "file_exists", path: "Notes.txt" }, "failed"],
    ["a file that is not kept", { kind: "file_exists", path: "huge.log" }, "passed"],
    ["an absent file", { kind: "file_absent", path: "secret.txt" }, "passed"],
    ["a file that must be absent", { kind: "file_absent", path: "notes.*" }, "failed"],
    [
      "a pattern in a file",
      { kind: "file_matches", path: "out/report.md", pattern: "Total: \\d+" },
      "passed",
    ],
    [
      "a pattern in one of many files",
      { kind: "file_matches", path: "**/*", pattern: "^# Report" },
      "passed",
    ],
    [
      "a line end of a CRLF file",
      { kind: "file_matches", path: "out/report.md", pattern: "(?m)12$" },
      "passed",
    ],
    ["a pattern in no file", { kind: "file_matches", path: "out/*.md", pattern: "Sum" }, "failed"],
    ["a pattern in a missing file", { kind: "file_matches", path: "gone.md", pattern: "." }, "failed"],
    ["a pattern in a file of bytes", { kind: "file_matches", path: "image.png", pattern: "PNG" }, "unscored"],
    [
      "a pattern in a file that is not kept",
      { kind: "file_matches", path: "huge.log", pattern: "x" },
      "unscored",
    ],
    ["a value", json("out/data.json", "total", present), "passed"],
    ["a whole file", json("out/data.json", "", present), "passed"],
    ["a value in a list", json("out/data.json", "rows[0].name", equals("Ada")), "passed"],
    ["a value in a list, with dots", json("out/data.json", "rows.0.name", equals("Ada")), "passed"],
    ["a path from the root", json("out/data.json", "$.rows[0]", equals({ name: "Ada" })), "passed"],
    ["an odd key", json("out/data.json", '["odd key"]["a.b"]', equals(1)), "passed"],
    ["null as no value", json("out/data.json", "rows[1].name", present), "failed"],
    ["null where it is asked for", json("out/data.json", "rows[1].name", equals(null)), "passed"],
    ["a wrong value", json("out/data.json", "total", equals("12")), "failed"],
    ["a text by pattern", json("out/data.json", "rows[0].name", matches("^A")), "passed"],
    ["a number by pattern", json("out/data.json", "total", matches("12")), "failed"],
    ["nothing at a path", json("out/data.json", "rows[7].name", present), "failed"],
    ["an inherited property", json("out/data.json", "constructor", present), "failed"],
    ["a broken path", json("out/data.json", "rows[", present), "unscored"],
    ["a byte order mark", json("out/bom.json", "a", equals(1)), "passed"],
    ["broken JSON", json("out/broken.json", "a", present), "failed"],
    ["a missing JSON file", json("gone.json", "", present), "failed"],
  ])("see %s", async (_what, claim, status) => {
    const verdict = await verdictOn(claim, { files });
    expect(verdict.status).toBe(status);
    expect(verdict.evidence.length === 0).toBe(status === "unscored");
  });

  it("points at the line of a match, and at the value of a JSON file", async () => {
    const claims: FileClaim[] = [
      { kind: "file_matches", path: "out/report.md", pattern: "Total: \\d+" },
      json("out/data.json", "rows[0]", present),
      json("out/data.json", "rows[0].age", present),
    ];
    const [match, value, missing] = await verdictsOn({ files, claims });
    expect(match?.evidence).toEqual([
      { kind: "quote", text: "Total: 12", source: { kind: "file", path: "out/report.md", line: 3 } },
    ]);
    const source = { kind: "file", path: "out/data.json", line: null };
    expect(value?.evidence).toEqual([{ kind: "quote", text: '{"name":"Ada"}', source }]);
    expect(missing).toMatchObject({ status: "failed", reason: "there is nothing at rows[0].age" });
    expect(missing?.evidence).toEqual([{ kind: "quote", text: '{"name":"Ada"}', source }]);
  });

  it.each<[string, readonly FileChange[], string]>([
    ["data.csv", [], "passed"],
    ["data.csv", [change("other.csv", "modified")], "passed"],
    ["data.csv", [change("data.csv", "modified")], "failed"],
    ["data.csv", [change("data.csv", "deleted")], "failed"],
    ["src", [change("src/a/b.ts", "created")], "failed"],
    ["src/**/*.ts", [change("src/a/b.ts", "modified")], "failed"],
    ["src/**/*.ts", [change("src/a/b.js", "modified")], "passed"],
  ])("holds %s unchanged after %j: %s", async (path, changes, status) => {
    const verdict = await verdictOn({ kind: "file_unchanged", path }, { run: { changes } });
    expect(verdict.status).toBe(status);
    expect(verdict.evidence).not.toEqual([]);
  });

  it("says that the run deleted a file", async () => {
    const run = { changes: [change("old.txt", "deleted")] };
    const [exists, absent] = await verdictsOn({
      run,
      claims: [
        { kind: "file_exists", path: "old.txt" },
        { kind: "file_absent", path: "old.txt" },
      ],
    });
    expect(exists).toMatchObject({ status: "failed", reason: "the run deleted old.txt" });
    expect(absent).toMatchObject({ status: "passed" });
  });

  it("shares one deadline between the files of a pattern", async () => {
    const slow = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${i}.txt`, `${"a".repeat(40)}b`]));
    const started = performance.now();
    const claim: FileClaim = { kind: "file_matches", path: "*.txt", pattern: "^(a*)*\\1$" };
    expect((await verdictOn(claim, { files: slow })).status).toBe("unscored");
    expect(performance.now() - started).toBeLessThan(8000);
  });

  it("takes any path, place and value without breaking", async () => {
    const text = fc.string({ unit: "binary", maxLength: 20 });
    const claim: fc.Arbitrary<FileClaim> = fc.oneof(
      fc.record({ kind: fc.constantFrom("file_exists", "file_absent", "file_unchanged"), path: text }),
      fc.record({ kind: fc.constant("file_matches" as const), path: text, pattern: text }),
      fc.record({
        kind: fc.constant("file_json" as const),
        path: fc.oneof(text, fc.constant("out/data.json")),
        at: text,
        expected: fc.oneof(
          fc.constant(present),
          text.map(matches),
          fc.jsonValue().map((value) => equals(value as never)),
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(claim, async (one) => {
        expect((await verdictOn(one, { files })).reason).not.toMatch(/broke|could not be decided/);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a case's overlays", () => {
  const overlay = mkdtempSync(join(tmpdir(), "assay-overlay-"));
  mkdirSync(join(overlay, "src"));
  writeFileSync(join(overlay, "src", "app.ts"), "export const version = 1;\n");
  afterAll(() => rmSync(overlay, { recursive: true }));
  const claims: FileClaim[] = [
    { kind: "file_exists", path: "src/app.ts" },
    { kind: "file_absent", path: "src/app.ts" },
    { kind: "file_matches", path: "src/app.ts", pattern: "version = 1" },
  ];

  it.each<[string, readonly FileChange[], Readonly<Record<string, string>>, readonly string[]]>([
    ["left alone", [], {}, ["passed", "failed", "passed"]],
    ["deleted", [change("src/app.ts", "deleted")], {}, ["failed", "passed", "failed"]],
    [
      "changed",
      [change("src/app.ts", "modified")],
      { "src/app.ts": "export const version = 2;\n" },
      ["passed", "failed", "failed"],
    ],
  ])("are part of the workspace when %s", async (_how, changes, written, statuses) => {
    const verdicts = await verdictsOn({
      case: { overlays: [overlay] },
      run: { changes },
      files: written,
      claims,
    });
    expect(verdicts.map((verdict) => verdict.status)).toEqual(statuses);
  });
});
