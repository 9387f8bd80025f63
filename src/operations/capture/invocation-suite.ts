import type { Diagnostic } from "../../domain/diagnostic.ts";
import { plainCase, type Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { readSkill } from "../../load/skill.ts";

/** A suite of one case that calls a skill with these words and asks nothing of the answer. */
export async function invocationSuite(path: string, words: readonly string[]): Promise<Suite> {
  const problems: Diagnostic[] = [];
  const skill = await readSkill(path, (problem) => void problems.push(problem));
  if (skill === null) {
    throw new UserError("capture/no-skill", `there is no skill at ${path}`, {
      hint: "pass a SKILL.md, a skill's directory or a command file",
      diagnostics: problems,
    });
  }
  const one = plainCase({
    id: "capture",
    declaredId: null,
    kind: "task",
    format: "clauditor",
    at: { file: skill.file, line: 1, column: 1 },
    prompt: { kind: "invocation", args: words.map(quoted).join(" ") },
  });
  return { name: skill.name, skill, files: [], cases: [one] };
}

/** A word that was quoted on the command line stays one. */
function quoted(word: string): string {
  return word === "" || /\s/.test(word) ? `"${word.replaceAll(/(["\\])/g, String.raw`\$1`)}"` : word;
}
