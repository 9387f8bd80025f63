import { expect, it } from "vitest";
import type { Iteration } from "../../domain/iteration.ts";
import { anIteration } from "../../../test/support/runs.ts";
import { withPurpose } from "./old-iteration.ts";

const skill = (path: string) => ({ path, sha256: "0" });

it.each([
  ["run", { skill: skill("/home/ada/project/skills/pdf") }],
  ["run", { skill: skill("/home/ada/skills/v2/pdf") }],
  ["run", { skill: null }],
  ["bench", { options: { bench: { alpha: 0.05 } }, group: "bench-1f" }],
  ["compare", { options: { bench: { alpha: 0.05 } }, group: "compare-1f" }],
  ["improve-draft", { skill: skill("/p/.assay/pdf/v3/skill/pdf") }],
  ["improve-draft", { skill: skill("C:\\p\\.assay\\pdf\\v3\\skill") }],
  ["description", { skill: skill("/p/.assay/pdf/descriptions/0123456789ab/skill") }],
] as [string, Partial<Iteration>][])("tells a %s by what it left behind: %j", (purpose, parts) => {
  const { purpose: _, ...old } = anIteration(parts);
  expect(withPurpose(old).purpose).toBe(purpose);
});

it("believes what is written down", () => {
  const iteration = anIteration({ purpose: "compare", group: null });
  expect(withPurpose(iteration)).toEqual(iteration);
});
