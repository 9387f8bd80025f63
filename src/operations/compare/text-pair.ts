import { resolve } from "node:path";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Contender, Contestant, Pair } from "../../compare/pair.ts";
import { capturedSubject } from "../../grade/captured-subject.ts";
import { plainCase } from "../../load/plain-case.ts";
import { capturedFile } from "../grade/captured-file.ts";
import { targetCases } from "../grade/targets.ts";
import type { Graders } from "../grade/with-grading.ts";
import type { Machine } from "../../machine.ts";
import { sharedExpectations } from "./expectations.ts";
import type { CompareOptions } from "../../cli/options/compare.ts";

/** Two captured texts as outputs of one case, graded by its checks where it has any. */
export async function textPair(
  paths: { readonly first: string; readonly second: string },
  { options, graders, machine }: { options: CompareOptions; graders: Graders; machine: Machine },
  signal: AbortSignal,
): Promise<Pair> {
  const one = await caseOf(options, machine);
  const read = async (path: string) => {
    const output = await capturedFile(resolve(machine.cwd, path));
    const subject = capturedSubject(one, output, { skill: null, now: new Date() });
    const verdicts = one.checks.length === 0 ? [] : (await graders.grade(subject, signal)).verdicts;
    return { name: path, subject, verdicts };
  };
  const [first, second] = [await read(paths.first), await read(paths.second)];
  const expectations = sharedExpectations(first.verdicts, second.verdicts);
  const contestant = ({ name, subject }: typeof first, side: Contender): Contestant => ({
    name,
    subject,
    expectations: expectations[side],
  });
  return {
    caseId: one.id,
    repetition: 1,
    first: contestant(first, "first"),
    second: contestant(second, "second"),
  };
}

async function caseOf(options: CompareOptions, machine: Machine): Promise<Case> {
  if (options.evals === null && options.skill === null) {
    if (options.prompt === null) {
      throw new UserError("compare/no-prompt", "it is not said what the two texts were to do", {
        hint: "say what was asked with --prompt, or name the case with --skill or --evals and --case",
      });
    }
    return plainCase({
      id: "texts",
      declaredId: null,
      kind: "task",
      format: "clauditor",
      at: { file: machine.cwd, line: 1, column: 1 },
      prompt: { kind: "turns", turns: [options.prompt] },
    });
  }
  const [only, second] = await targetCases(options, machine);
  if (only !== undefined && second === undefined) return only.case;
  throw new UserError("compare/which-case", "the texts could be of several cases", {
    hint: "name one with --case; assay list --cases shows the ids",
  });
}
