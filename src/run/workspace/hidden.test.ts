import { describe, expect, it } from "vitest";

import type { Case, EvalFile, FormatName, Suite } from "../../domain/suite.ts";
import { hiddenPaths } from "./hidden.ts";

function suite(file: string, format: FormatName, overlays: string[] = []): Suite {
  const skill = {
    name: "foo",
    layout: "directory" as const,
    file: "/p/skills/foo/SKILL.md",
    root: "/p/skills/foo",
  };
  return {
    name: "foo",
    skill: { ...skill, description: null, frontmatter: {}, body: "" },
    files: [{ path: file, format } as EvalFile],
    cases: [{ overlays } as unknown as Case],
  };
}

const always = ["/p/assay-baseline.json", "/p/evals/foo", "/p/skills/foo/evals"];

describe("hiddenPaths", () => {
  it.each<[string, FormatName, string[]]>([
    ["/p/skills/foo/SKILL.eval.json", "clauditor", ["/p/skills/foo/SKILL.eval.json"]],
    ["/p/skills/foo/evals/evals.json", "skill-creator", ["/p/skills/foo/evals/evals.json"]],
    ["/p/evals/foo/evals.json", "bmad", ["/p/evals/foo/evals.json"]],
    ["/p/evals/group/foo/evals.json", "bmad", ["/p/evals/group/foo", "/p/evals/group/foo/evals.json"]],
    ["/p/evals/foo/deep/er/a.yaml", "skillet", ["/p/evals/foo/deep/er/a.yaml"]],
    ["/p/evals/evals.json", "skill-creator", ["/p/evals", "/p/evals/evals.json"]],
    ["/p/evals/other/a.yaml", "skillet", ["/p/evals/other/a.yaml"]],
    ["/p/tests/quality/evals.json", "bmad", ["/p/tests/quality", "/p/tests/quality/evals.json"]],
    ["/p/evals.json", "bmad", ["/p/evals.json", "/p/setup", "/p/triggers.json"]],
    ["/elsewhere/a.yaml", "skillet", ["/elsewhere/a.yaml"]],
  ])("of %s (%s)", (file, format, expected) => {
    expect(hiddenPaths(suite(file, format), "/p")).toEqual([...new Set([...always, ...expected])].sort());
  });

  it("takes a directory called evals above the project for a name like any other", () => {
    expect(hiddenPaths(suite("/evals/p/a.yaml", "skillet"), "/evals/p")).not.toContain("/evals");
  });

  it("includes the overlays", () => {
    expect(hiddenPaths(suite("/p/x/evals.json", "bmad", ["/q/setup"]), "/p")).toContain("/q/setup");
  });
});
