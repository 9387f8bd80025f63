import type { Grading } from "../../src/domain/grading.ts";
import { type Iteration, STORE_SCHEMA } from "../../src/domain/iteration.ts";
import { type Run, UNKNOWN_USAGE } from "../../src/domain/run.ts";
import type { Verdict } from "../../src/domain/verdict.ts";

export function aRun(parts: Partial<Run> = {}): Run {
  return {
    trialId: "1/with_skill/run-1",
    outcome: { status: "completed" },
    validity: { status: "verified" },
    startedAt: "2026-01-15T10:30:00.000Z",
    agentTime: { startedAt: "2026-01-15T10:30:01.000Z", endedAt: "2026-01-15T10:30:02.000Z" },
    durationMs: 1000,
    client: { name: "scripted", version: null },
    model: null,
    sessionId: null,
    sessionFile: null,
    steps: 1,
    usage: UNKNOWN_USAGE,
    toolCalls: {},
    toolErrors: 0,
    denials: [],
    skillsOffered: null,
    activations: [],
    sent: null,
    teardownProblem: null,
    changes: [],
    skillEdits: [],
    trespasses: [],
    output: null,
    reusedFrom: null,
    notes: [],
    conditions: { sandbox: "none", staging: "copy", loadAverage: 0, freeMemoryBytes: 0 },
    replay: null,
    ...parts,
  };
}

export function aVerdict(parts: Partial<Verdict> = {}): Verdict {
  return {
    trialId: "1/with_skill/run-1",
    checkId: "c",
    layer: "L1",
    text: "it holds",
    status: "passed",
    evidence: [{ kind: "measure", text: "1 of 1" }],
    reason: "",
    score: null,
    entry: null,
    ...parts,
  };
}

export function aGrading(trialId: string, verdicts: readonly Verdict[]): Grading {
  return {
    trialId,
    verdicts,
    claims: [],
    evalFeedback: null,
    judgeModel: null,
    startedAt: "2026-01-15T10:31:00.000Z",
    durationMs: 10,
    usage: UNKNOWN_USAGE,
  };
}

export function anIteration(parts: Partial<Iteration> = {}): Iteration {
  return {
    schema: STORE_SCHEMA,
    number: 1,
    purpose: "run",
    group: null,
    createdAt: "2026-01-15T10:30:00.000Z",
    suite: "demo",
    skill: { path: "skills/demo", sha256: "0" },
    evalFiles: [],
    harness: "scripted",
    client: null,
    model: null,
    judge: null,
    seed: 1,
    versions: { assay: "0.0.0", node: "v20", platform: "linux" },
    options: {},
    prices: null,
    ...parts,
  };
}
