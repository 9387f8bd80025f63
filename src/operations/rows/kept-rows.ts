import { mkdir } from "node:fs/promises";
import type { Check } from "../../domain/check.ts";
import type { Grading } from "../../domain/grading.ts";
import { leftOut } from "../../domain/left-out.ts";
import { NOTHING_DONE, type Run, UNKNOWN_USAGE } from "../../domain/run.ts";
import { type Case, plainCase } from "../../domain/suite.ts";
import type { Trial } from "../../domain/trial.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { uniqueIds } from "../../load/formats/skill-creator/ids.ts";
import { writeRunFiles } from "../../store/write/run-folder.ts";
import type { RunToKeep } from "../shared/kept-iteration.ts";
import type { ReadRow } from "./row.ts";

interface Around {
  /** ISO 8601. */
  readonly at: string;
  readonly harness: string;
  readonly model: string | null;
  readonly mask: SecretMask;
}

/** The runs that rows stand for, in their order. Throws a UserError where two are the same run. */
export function keptRows(rows: readonly ReadRow[], around: Around): readonly RunToKeep[] {
  const names = [...new Set(rows.map((row) => row.case))];
  const ids = uniqueIds(names);
  const byCase = groupBy(rows, (row) => row.case);
  const cases = new Map(
    names.map((name, at) => [name, caseOf(ids[at] ?? name, name, byCase.get(name) ?? [])]),
  );
  const taken = new Set<string>();
  return rows.map((row): RunToKeep => {
    const one = cases.get(row.case);
    if (one === undefined) throw new Error(`no case is made of ${row.case}`);
    const trial = trialOf(one, row, taken);
    const run = runOf(row, trial, around);
    const record = {
      prompt: row.prompt ?? "",
      skill: null,
      inputs: [],
      run,
      transcript: [],
      output: row.output,
      withOutputs: true,
    };
    return {
      one,
      trial,
      run,
      grading: row.error === null ? gradingOf(row, { one, trial }, around) : null,
      fill: async (folder) => {
        await mkdir(folder.root, { recursive: true });
        await writeRunFiles(folder, record, around.mask);
      },
    };
  });
}

/** With every check that any of its rows has; `pass` is one more. */
function caseOf(id: string, name: string, rows: readonly ReadRow[]): Case {
  const prompt = rows.find((row) => row.prompt !== null)?.prompt ?? null;
  const texts = [...new Set(rows.flatMap((row) => row.checks.map((check) => check.text)))];
  const checks = [
    ...(rows.some(({ pass }) => pass !== null) || texts.length === 0 ? [PASSES] : []),
    ...texts,
  ];
  return {
    ...plainCase({
      id,
      declaredId: null,
      kind: "task",
      format: "rows",
      at: { file: name, line: 1, column: 1 },
      prompt: { kind: "turns", turns: prompt === null ? [] : [prompt] },
    }),
    name,
    checks: checks.map(checkOf),
  };
}

const PASSES = "it passes";

function checkOf(text: string): Check {
  return {
    id: text,
    layer: "L1",
    text,
    appliesTo: "every-variant",
    origin: null,
    kind: "custom",
    grader: "reported",
    with: null,
  };
}

function trialOf({ id: caseId }: Case, { variant, run }: ReadRow, taken: Set<string>): Trial {
  const idOf = (number: number) => `${caseId}/${variant}/run-${number}`;
  let repetition = run ?? 1;
  if (run === null) while (taken.has(idOf(repetition))) repetition++;
  const id = idOf(repetition);
  if (taken.has(id)) {
    throw new UserError("rows/same-run", `two rows are run ${repetition} of ${caseId} (${variant})`, {
      hint: "leave run out to number them in their order",
    });
  }
  taken.add(id);
  return { id, key: `reported ${id}`, caseId, variant, repetition };
}

function runOf(row: ReadRow, { id }: Trial, { at, harness, model }: Around): Run {
  const { inputTokens, outputTokens, costUsd } = row;
  return {
    ...NOTHING_DONE,
    trialId: id,
    outcome: row.error === null ? { status: "completed" } : leftOut("invalid", row.error),
    validity: {
      status: "unverified",
      reason: "a script ran it, and whether the skill was offered is not known",
    },
    startedAt: at,
    durationMs: row.durationMs,
    client: { name: harness, version: null },
    model,
    usage: { ...UNKNOWN_USAGE, inputTokens, outputTokens, costUsd },
    output:
      row.output === null
        ? { status: "unknown", reason: "the script reported no output" }
        : { status: "present" },
    unkept: ["files", "transcript"],
    conditions: { sandbox: "unknown", staging: "unknown", loadAverage: 0, freeMemoryBytes: 0 },
  };
}

function gradingOf(row: ReadRow, { one, trial }: { one: Case; trial: Trial }, { at }: Around): Grading {
  const said = new Map(row.checks.map((check) => [check.text, check]));
  const verdicts = one.checks.map((check): Verdict => {
    const { pass, reason } =
      check.id === PASSES ? { pass: row.pass, reason: null } : (said.get(check.id) ?? NOT_SAID);
    const { id: checkId, layer, text } = check;
    const head = { trialId: trial.id, checkId, layer, text, score: null, entry: null, reason: reason ?? "" };
    if (pass === null)
      return { ...head, status: "unscored", reason: reason ?? "the script did not decide it", evidence: [] };
    return {
      ...head,
      status: pass ? "passed" : "failed",
      evidence: [{ kind: "outcome", text: "decided by the script that reported it" }],
    };
  });
  return {
    trialId: trial.id,
    verdicts,
    claims: [],
    evalFeedback: null,
    judgeModel: null,
    startedAt: at,
    durationMs: 0,
    usage: UNKNOWN_USAGE,
  };
}

const NOT_SAID = { pass: null, reason: null };
