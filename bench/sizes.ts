import type { Check } from "../src/domain/check.ts";
import { NOTHING_DONE, type Run, UNKNOWN_USAGE } from "../src/domain/run.ts";
import { type Case, plainCase } from "../src/domain/suite.ts";
import type { Trial } from "../src/domain/trial.ts";
import type { Evaluated } from "../src/report/evaluated.ts";

/** A benchmark of so many cases, with so many checks and runs each, as its journal would give it. */
export function benchmarkOfSize({
  cases,
  checks,
  runs,
}: {
  cases: number;
  checks: number;
  runs: number;
}): Evaluated {
  const declared = Array.from({ length: checks }, (_, at) => ({
    id: `c${at}`,
    layer: "L1",
    text: `check ${at}`,
    appliesTo: "every-variant",
    origin: null,
    kind: "contains",
    needle: "x",
    ignoreCase: false,
  })) as readonly Check[];
  const ids = Array.from({ length: cases }, (_, at) => `case-${at}`);
  const trials = ids.flatMap((caseId) =>
    (["with_skill", "without_skill"] as const).flatMap((variant) =>
      Array.from({ length: runs }, (_, at): Trial => {
        const id = `${caseId}/${variant}/run-${at + 1}`;
        return { id, key: id, caseId, variant, repetition: at + 1 };
      }),
    ),
  );
  return {
    iteration: {
      schema: 1,
      number: 1,
      purpose: "bench",
      group: null,
      createdAt: "2026-01-15T10:30:00.000Z",
      suite: "demo",
      skill: null,
      evalFiles: [],
      harness: "scripted",
      client: null,
      model: null,
      judge: null,
      seed: 1,
      versions: { assay: "0", node: "v20", platform: "linux" },
      options: { bench: { alpha: 0.05, minEffect: 0, aa: false, adaptive: null } },
      prices: null,
    },
    cases: ids.map((id) => aCase(id, declared)),
    trials,
    runs: new Map(trials.map((trial) => [trial.id, { run: asRead(aRun(trial)) }])),
    gradings: new Map(
      trials.map((trial, at) => [
        trial.id,
        asRead({
          trialId: trial.id,
          verdicts: declared.map((check, nth) => ({
            trialId: trial.id,
            checkId: check.id,
            layer: check.layer,
            text: check.text,
            status:
              (at * 7919 + nth * 104_729) % 10 < (trial.variant === "with_skill" ? 7 : 5)
                ? "passed"
                : "failed",
            evidence: [],
            reason: "",
            score: null,
            entry: null,
          })),
          claims: [],
          evalFeedback: null,
          judgeModel: null,
          startedAt: "2026-01-15T10:31:00.000Z",
          durationMs: 10,
          usage: UNKNOWN_USAGE,
        }),
      ]),
    ),
  };
}

/** Parsed, as the journal's lines are: objects that were put together by hand are laid out otherwise, and slower to read. */
function asRead<T>(made: T): T {
  return JSON.parse(JSON.stringify(made)) as T;
}

function aRun({ id, variant }: Trial): Run {
  return {
    ...NOTHING_DONE,
    trialId: id,
    outcome: { status: "completed" },
    validity: { status: "verified" },
    startedAt: "2026-01-15T10:30:00.000Z",
    durationMs: 1500,
    client: { name: "scripted", version: null },
    activations: variant === "with_skill" ? [{ skill: "demo", by: "tool", event: 1 }] : [],
    conditions: { sandbox: "none", staging: "copy", loadAverage: 0, freeMemoryBytes: 0 },
  };
}

function aCase(id: string, checks: readonly Check[]): Case {
  return {
    ...plainCase({
      id,
      declaredId: id,
      kind: "task",
      format: "skill-creator",
      at: { file: "/evals.json", line: 1, column: 1 },
      prompt: { kind: "turns", turns: ["Do it."] },
    }),
    checks,
  };
}
