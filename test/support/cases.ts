import { type Case, plainCase, type Suite } from "../../src/domain/suite.ts";

/** A case with every field present; a test names only what it is about. */
export function aCase(parts: Partial<Case> = {}): Case {
  return {
    ...plainCase({
      id: "1",
      declaredId: 1,
      kind: "task",
      format: "skill-creator",
      at: { file: "/evals.json", line: 1, column: 1 },
      prompt: { kind: "turns", turns: ["Do it"] },
    }),
    ...parts,
  };
}

export function aSuite(cases: readonly Case[], parts: Partial<Suite> = {}): Suite {
  return { name: "demo", skill: null, files: [], cases, ...parts };
}
