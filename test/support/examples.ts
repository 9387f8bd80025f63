import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FormatName } from "../../src/domain/suite.ts";

export const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

/** The eval files of the examples: relative path, format, and which of the format's file kinds each is. */
export const EXAMPLE_FILES: readonly (readonly [path: string, format: FormatName, dialect: string])[] = [
  ["release-notes/SKILL.eval.json", "clauditor", "spec"],
  ["conventional-comments/evals/001.yaml", "skillet", "eval"],
  ["conventional-comments/evals/002.yaml", "skillet", "eval"],
  ["conventional-comments/evals/security/001.yaml", "skillet", "eval"],
  ["decision-record/evals/decision-record/evals.json", "bmad", "evals"],
  ["decision-record/evals/decision-record/triggers.json", "bmad", "triggers"],
  ["csv-report/evals/evals.json", "skill-creator", "evals"],
  ["csv-report/evals/trigger-eval.json", "skill-creator", "triggers"],
];

/** A copy of the examples, to write into. */
export async function copyOfExamples(): Promise<AsyncDisposable & { readonly root: string }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "examples-")));
  await cp(EXAMPLES, root, { recursive: true });
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
