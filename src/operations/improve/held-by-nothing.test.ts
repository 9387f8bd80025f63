import { describe, expect, it } from "vitest";
import type { Claim } from "../../domain/check.ts";
import { plainCase } from "../../domain/suite.ts";
import { makeCheck } from "../../grade/fixtures/make-subject.ts";
import { safeRegex } from "../../lib/safe-regex/safe-regex.ts";
import { inTempFolder } from "../../engine/run-folder.ts";
import { heldByNothing } from "./held-by-nothing.ts";

const HEAD = {
  id: "1",
  declaredId: 1,
  kind: "task",
  format: "skill-creator",
  at: { file: "/evals.json", line: 1, column: 1 },
  prompt: { kind: "turns", turns: ["Write a report"] },
} as const;

const contains = (needle: string): Claim => ({ kind: "contains", needle, ignoreCase: false });
const exists = (path: string): Claim => ({ kind: "file_exists", path });

async function held(claims: readonly Claim[], files: Readonly<Record<string, string>> = {}) {
  const staged = Object.entries(files).map(
    ([target, content]) => ({ kind: "inline", target, content }) as const,
  );
  const checks = claims.map((claim, index) => makeCheck(claim, `c${index + 1}`));
  return await inTempFolder(async (folder) => {
    await using regex = safeRegex();
    const around = { folder, regex, now: () => new Date(0) };
    const one = { ...plainCase(HEAD), checks, files: staged };
    return [...(await heldByNothing(one, around, new AbortController().signal))];
  });
}

describe("a proposed check that a run which did nothing passes", () => {
  it("is found where it asks for nothing", async () => {
    expect(await held([contains(""), contains("Total: 42")])).toEqual(["c1"]);
  });

  it("is found where it asks for a file that was staged anyway", async () => {
    expect(await held([exists("data.csv"), exists("report.md")], { "data.csv": "a,b\n" })).toEqual(["c1"]);
  });

  it("is fine where it forbids something: nothing is then what it asks for", async () => {
    const forbidden: Claim = { kind: "not_contains", needle: "damn", ignoreCase: false };
    expect(await held([forbidden])).toEqual([]);
  });

  it("is not looked for among checks that a judge decides", async () => {
    const one = { ...plainCase(HEAD), checks: [makeCheck({ kind: "criterion" }, "c1", { layer: "L3" })] };
    await inTempFolder(async (folder) => {
      await using regex = safeRegex();
      const around = { folder, regex, now: () => new Date(0) };
      expect((await heldByNothing(one, around, new AbortController().signal)).size).toBe(0);
    });
  });
});
