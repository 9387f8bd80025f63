import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type Case, type Fixture, plainCase, type Prompt } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { normalizeRelative, pathProblem, pathProblemText } from "../../lib/relative-path.ts";
import { inlineChecks } from "../../load/inline-checks.ts";

/** What a program asks an agent to do, in place of a case of an eval file. */
export interface AskedPrompt {
  /** User messages of one session; or what to call the skill with. */
  readonly prompt: Prompt;
  /**
   * Files of the agent's workspace: contents by path; or paths of files, relative to the test file, which are staged under
   * their base names.
   */
  readonly files?: Readonly<Record<string, string>> | readonly string[] | undefined;
  /** As the `assay` key spells them; a bare text is a criterion for a judge. */
  readonly checks?: readonly unknown[] | undefined;
}

/** The case that a prompt stands for. `file` is the test file, absolute. Throws a UserError for what cannot be staged or checked. */
export function promptCase(id: string, name: string, asked: AskedPrompt, file: string): Case {
  return {
    ...plainCase({
      id,
      declaredId: null,
      kind: "task",
      format: "assay-test",
      at: { file, line: 1, column: 1 },
      prompt: asked.prompt,
    }),
    name,
    files: fixturesOf(asked.files ?? {}, dirname(file)),
    checks: inlineChecks(asked.checks ?? []),
  };
}

/** A query that should, or should not, make the agent take the skill up. */
export function queryCase(
  id: string,
  { query, shouldTrigger }: { readonly query: string; readonly shouldTrigger: boolean },
  file: string,
): Case {
  return {
    ...plainCase({
      id,
      declaredId: null,
      kind: "trigger",
      format: "assay-test",
      at: { file, line: 1, column: 1 },
      prompt: { kind: "turns", turns: [query] },
    }),
    checks: [
      {
        id: "fires",
        layer: "trigger",
        text: shouldTrigger ? "the skill fires" : "the skill stays silent",
        appliesTo: "every-variant",
        origin: null,
        kind: "fires",
        expected: shouldTrigger,
        skill: null,
        forbidden: [],
      },
    ],
  };
}

function fixturesOf(files: NonNullable<AskedPrompt["files"]>, folder: string): readonly Fixture[] {
  if (Array.isArray(files)) return (files as readonly string[]).map((path) => fromPath(path, folder));
  return Object.entries(files).map(([path, content]) => {
    const problem = pathProblem(path);
    if (problem !== null)
      throw badFile(path, `${pathProblemText(problem)}, so it cannot be in the workspace`);
    if (typeof content !== "string") throw badFile(path, "must have text as its content");
    return { kind: "inline", target: normalizeRelative(path), content };
  });
}

function fromPath(path: string, folder: string): Fixture {
  if (typeof path !== "string") throw badFile(String(path), "must be a path");
  const source = resolve(folder, path);
  if (statSync(source, { throwIfNoEntry: false })?.isFile() !== true)
    throw badFile(path, `does not exist, or is no file, in ${folder}`);
  return { kind: "path", declared: path, source, target: basename(source), problem: null };
}

function badFile(path: string, problem: string): UserError {
  return new UserError("testing/bad-file", `files: ${JSON.stringify(path)} ${problem}`, {
    hint: 'pass contents by path, { "data.csv": "a,b" }, or paths relative to the test file, ["fixtures/data.csv"]',
  });
}
