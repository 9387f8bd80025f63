import { join } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { OPENAI_YAML } from "../domain/skill.ts";
import type { Suite } from "../domain/suite.ts";
import { allowsImplicit } from "./openai-policy.ts";

/** Queries that should fire a skill which Codex never lists: on Codex they cannot pass. */
export async function implicitNotes({ name, skill, cases }: Suite): Promise<readonly Diagnostic[]> {
  const fires = cases.filter(
    ({ kind, checks }) =>
      kind === "trigger" && checks.some((check) => check.kind === "fires" && check.expected),
  );
  if (skill === null || fires.length === 0 || (await allowsImplicit(skill))) return [];
  return [
    {
      severity: "note",
      code: "triggers/not-listed-on-codex",
      message: `${name}: on Codex, ${fires.length === 1 ? "a query that should fire cannot" : `${fires.length} queries that should fire cannot`}: policy.allow_implicit_invocation is false, so Codex does not list the skill`,
      at: { file: join(skill.root, OPENAI_YAML), line: 1, column: 1 },
      hint: "allow it, or run these queries on other agents only",
    },
  ];
}
