import { expect, it } from "vitest";
import { plainCase, type Suite } from "../domain/suite.ts";
import { changedSuites } from "./select.ts";

it("takes a case that is a folder for changed when one of its graders is", () => {
  const path = "/p/evals/first/prompt.md";
  const one = plainCase({
    id: "first",
    declaredId: null,
    kind: "task",
    format: "claude-plugin",
    at: { file: path, line: 1, column: 1 },
    prompt: { kind: "turns", turns: ["Go"] },
  });
  const file = { path, format: "claude-plugin", dialect: "prompt", skillName: null, description: null };
  const suite: Suite = {
    name: "s",
    skill: null,
    files: [{ ...file, cases: [one], extras: {} }],
    cases: [one],
  };
  expect(changedSuites([suite], ["/p/evals/first/graders/a.md"])).toEqual([suite]);
  expect(changedSuites([suite], ["/p/evals/second/graders/a.md"])).toEqual([]);
});
