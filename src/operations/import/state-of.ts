import type { EventBody } from "../../domain/event.ts";
import type { Grading } from "../../domain/grading.ts";
import { type Iteration, STORE_SCHEMA } from "../../domain/iteration.ts";
import { type Activation, NOTHING_DONE, type Run, UNKNOWN_USAGE, type Unkept } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import type { Trial } from "../../domain/trial.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { uniqueIds } from "../../load/formats/skill-creator/ids.ts";
import { probeName } from "../../triggers/probe.ts";
import { plainCase } from "../../domain/suite.ts";
import type { ForeignGrading, ForeignIteration, ForeignRun } from "../../store/foreign/foreign.ts";

/** A run of another tool as a trial of ours. */
export interface ImportedTrial {
  readonly foreign: ForeignRun;
  readonly one: Case;
  readonly trial: Trial;
}

/** The trials that the runs of another tool stand for, one case for each eval. */
export function trialsOf({ runs, tool }: ForeignIteration): readonly ImportedTrial[] {
  const evals = [...new Set(runs.map(({ evalId }) => String(evalId)))];
  const ids = new Map(uniqueIds(evals).map((id, index) => [evals[index], id]));
  const cases = new Map<string, Case>();
  const taken = new Set<string>();
  return runs.map((foreign) => {
    const id = ids.get(String(foreign.evalId)) ?? String(foreign.evalId);
    const one = cases.get(id) ?? caseOf(id, foreign, tool);
    cases.set(id, one);
    const { variant } = foreign;
    // Two folders may stand for one run, such as run-1 and run-01.
    let { repetition } = foreign;
    while (taken.has(`${id}/${variant}/run-${repetition}`)) repetition++;
    const trialId = `${id}/${variant}/run-${repetition}`;
    taken.add(trialId);
    const trial = { id: trialId, key: `imported ${trialId}`, caseId: id, variant, repetition };
    return { foreign, one, trial };
  });
}

function caseOf(id: string, run: ForeignRun, format: string): Case {
  const { evalId, name, prompt, checks, source, trigger } = run;
  return {
    ...plainCase({
      id,
      declaredId: trigger === null ? evalId : null,
      kind: trigger === null ? "task" : "trigger",
      format,
      at: { file: source, line: 1, column: 1 },
      prompt: { kind: "turns", turns: prompt === null ? [] : [prompt] },
    }),
    name,
    checks: checks.map(({ id: checkId, layer, text }) => ({
      id: checkId,
      layer,
      text,
      appliesTo: "every-variant",
      origin: null,
      ...(trigger === null
        ? { kind: "criterion" }
        : { kind: "fires", expected: trigger.expected, skill: null, forbidden: [] }),
    })),
  };
}

/** Of a query that fired: that the skill was taken up, by the name that a probe of it would have. */
export function activationsOf(
  { foreign, trial }: Pick<ImportedTrial, "foreign" | "trial">,
  { seen, skill }: { seen: readonly Activation[]; skill: string },
): readonly Activation[] {
  if (foreign.trigger === null) return seen;
  return foreign.trigger.fired ? [{ skill: probeName(skill, trial), by: "client", event: 0 }] : [];
}

/** What the manifest says of an import. */
export interface ImportFacts {
  /** Tells whether the workspace was changed since. */
  readonly signature: string;
  readonly version: string;
  readonly number: number;
  /** By the folder in the other tool's iteration: the run's folder in ours. */
  readonly folders: Readonly<Record<string, string>>;
}

export function manifestFor(
  foreign: ForeignIteration,
  { signature, version, number, folders }: ImportFacts,
): Iteration {
  const { tool, root, skillName, at, harness, model, judgeModel, namedBy } = foreign;
  return {
    schema: STORE_SCHEMA,
    number,
    purpose: "run",
    group: null,
    createdAt: isoOf(at),
    suite: skillName,
    skill: null,
    evalFiles: [],
    harness: harness ?? tool,
    client: null,
    model,
    judge: judgeModel === null ? null : { provider: tool, model: judgeModel },
    seed: 0,
    versions: { assay: version, node: process.version, platform: `${process.platform} ${process.arch}` },
    options: { imported: { tool, from: root, signature, namedBy, folders } },
    prices: null,
  };
}

function isoOf(at: string): string {
  const time = Date.parse(at);
  return new Date(Number.isNaN(time) ? 0 : time).toISOString();
}

export function startOf(iteration: Iteration, trials: readonly ImportedTrial[]): EventBody {
  const cases = [...new Map(trials.map(({ one }) => [one.id, one])).values()];
  return {
    kind: "iteration-started",
    iteration,
    cases,
    trials: trials.map(({ trial }) => trial),
    resumed: false,
  };
}

/** What is known of the run; what is not, is said to be. */
export function runOf(
  { foreign, trial }: ImportedTrial,
  { iteration, tool, done }: { iteration: Iteration; tool: string; done: Partial<Run> },
): Run {
  const { outcome, durationMs, usage, toolCalls } = foreign;
  return {
    ...NOTHING_DONE,
    trialId: trial.id,
    outcome,
    validity: {
      status: "unverified",
      reason: `${tool} ran it, and whether the skill was offered is not known`,
    },
    startedAt: iteration.createdAt,
    durationMs,
    client: { name: iteration.harness, version: null },
    model: iteration.model,
    usage: usage ?? UNKNOWN_USAGE,
    conditions: { sandbox: "unknown", staging: "unknown", loadAverage: 0, freeMemoryBytes: 0 },
    ...done,
    toolCalls: toolCalls ?? done.toolCalls ?? {},
    unkept: unkeptOf(foreign),
    notes: [
      ...(done.notes ?? []),
      ...foreign.notes,
      ...(foreign.source === "" ? ["nothing was kept of it but its verdicts"] : []),
    ],
  };
}

/** A transcript that somebody wrote down is no record of what was done. */
function unkeptOf({ files, transcript, trigger }: ForeignRun): readonly Unkept[] {
  const isRecorded = trigger !== null || (transcript !== null && transcript.kind !== "text");
  return [...(files === null ? (["files"] as const) : []), ...(isRecorded ? [] : (["transcript"] as const))];
}

export function gradingFor(
  { one, trial }: ImportedTrial,
  { verdicts, claims, evalFeedback }: ForeignGrading,
  { iteration, tool }: { iteration: Iteration; tool: string },
): Grading {
  return {
    trialId: trial.id,
    verdicts: verdicts.flatMap((found): Verdict[] => {
      const check = one.checks.find(({ id }) => id === found.checkId);
      if (check === undefined) return [];
      const said = found.evidence.trim();
      return [
        {
          trialId: trial.id,
          checkId: check.id,
          layer: check.layer,
          text: check.text,
          status: found.status,
          reason: said === "" ? `${tool} gives no reason` : said,
          evidence: found.status === "unscored" ? [] : [{ kind: "outcome", text: `graded by ${tool}` }],
          score: found.score,
          entry: found.entry,
        },
      ];
    }),
    claims,
    evalFeedback,
    judgeModel: iteration.judge?.model ?? null,
    startedAt: iteration.createdAt,
    durationMs: 0,
    usage: UNKNOWN_USAGE,
  };
}
