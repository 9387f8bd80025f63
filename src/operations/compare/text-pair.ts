import { stat } from "node:fs/promises";
import { type Case, plainCase } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Contender, Contestant, Pair } from "../../compare/pair.ts";
import { loadSuites } from "../../engine/load-suites.ts";
import { capturedSubject } from "../../grade/captured-subject.ts";
import { selectCases } from "../../plan/select.ts";
import type { CompareCall } from "./call.ts";
import { sharedExpectations } from "./expectations.ts";

interface CapturedText {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** Two captured texts as outputs of one case, graded by its checks where it has any. */
export async function textPair(
  texts: Readonly<Record<Contender, CapturedText>>,
  call: CompareCall,
): Promise<Pair> {
  const { machine, signal } = call.door;
  const one = await caseOf(call);
  const read = async ({ name, path }: CapturedText) => {
    const output = { path, bytes: (await stat(path)).size };
    const subject = capturedSubject(one, output, { skill: null, now: machine.now() });
    const verdicts = one.checks.length === 0 ? [] : (await call.run.models.grade(subject, signal)).verdicts;
    return { name, subject, verdicts };
  };
  const [first, second] = [await read(texts.first), await read(texts.second)];
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

async function caseOf(call: CompareCall): Promise<Case> {
  const { settled, door } = call;
  if (settled.evals !== null || settled.skill !== null) return namedCase(call);
  if (settled.prompt === null) {
    throw new UserError("compare/no-prompt", "what was the task of the two texts?", {
      hint: "pass it with --prompt, or choose the case with --skill or --evals and --case",
    });
  }
  return plainCase({
    id: "texts",
    declaredId: null,
    kind: "task",
    format: "clauditor",
    at: { file: door.machine.cwd, line: 1, column: 1 },
    prompt: { kind: "turns", turns: [settled.prompt] },
  });
}

/** The only one that `skill`, `evals` and `cases` leave. */
async function namedCase({
  settled: { evals, skill, cases, projectRoot },
  door,
}: CompareCall): Promise<Case> {
  const { plugins } = door.config;
  const wishes = {
    targets: [skill ?? evals ?? "."],
    evals,
    skill,
    projectRoot,
    strict: false,
    changed: null,
    plugins,
    signal: door.signal,
  };
  const suites = await loadSuites(wishes, door.machine);
  const selection = { mode: "artifact", cases, filter: null, shard: null } as const;
  const [only, second] = suites.flatMap((suite) => selectCases(suite.cases, selection));
  if (only !== undefined && second === undefined) return only;
  throw new UserError(
    "compare/which-case",
    only === undefined ? "the texts belong to no known case" : "the texts could belong to several cases",
    { hint: "choose one with --case; assay list --cases shows the ids" },
  );
}
