import { expect, it } from "vitest";
import { aReport } from "../../test/support/reports.ts";
import { totalText } from "./total-text.ts";

const report = (suite: string, verdict: "passed" | "failed" | "unfinished") => ({
  summary: { ...aReport([]).summary, suite, verdict },
});

it("counts skills by verdict, the bad news in capitals", () => {
  const text = totalText([report("a", "passed"), report("b", "failed"), report("c", "passed")]);
  expect(text).toMatch(/^total: 3 skills: 2 passed, 1 FAILED; /);
});

it("tells skills from iterations where one skill was run on several agents", () => {
  const text = totalText([report("a", "passed"), report("a", "unfinished")]);
  expect(text).toMatch(/^total: 1 skill in 2 iterations: 1 passed, 1 INCOMPLETE; /);
});
