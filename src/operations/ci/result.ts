import { join, relative } from "node:path";
import { flipsBetween } from "../../compare/flips.ts";
import type {
  CaseOutcome,
  CiLane,
  CiRequirement,
  CiResult,
  CiVerdict,
  FlipOutcome,
  LaneOutcome,
  LaneRecord,
  LaneSkill,
  SkillOutcome,
} from "../../domain/ci.ts";
import type { Flip, Passed } from "../../domain/flip.ts";
import type { Summary } from "../../domain/summary.ts";
import type { Variant } from "../../domain/trial.ts";
import { plural } from "../../lib/plural.ts";
import type { IterationReport } from "../../report/reporter.ts";
import { theseCasesText } from "../../report/benchmark/lift-text.ts";
import { headline } from "../../report/benchmark/benchmark-text.ts";
import { verdictText } from "../../report/text.ts";
import { points } from "../../stats/words.ts";
import type { IterationState } from "../../store/state.ts";

/** One skill on one agent and model, summed up over all shards. */
export interface MeasuredSkill {
  readonly lane: CiLane;
  readonly report: IterationReport;
  readonly state: IterationState;
}

interface Found {
  readonly lanes: readonly LaneRecord[];
  readonly outcomes: readonly LaneOutcome[];
  readonly measured: readonly MeasuredSkill[];
  readonly require: CiRequirement;
  /** Absolute; run folders are named relative to it. */
  readonly out: string;
}

/** What everything comes to. Pure. */
export function ciResult({ lanes, outcomes, measured, require, out }: Found): CiResult {
  const skills = measured.map((one) => skillOutcome(one, { require, out })).toSorted(worstFirst);
  const states = withMeasured(outcomes, { skills, lanes });
  const verdict = worst([...states.map(({ status }) => status), ...skills.map((one) => one.verdict)]);
  const [first] = lanes;
  return {
    schema: 1,
    title: titleOf({ states, skills, lanes, verdict, require }),
    verdict,
    required: require,
    base: first?.base ?? null,
    head: first?.head ?? null,
    lanes: states,
    skills,
    notes: notesOf(lanes),
    costUsd: sumKnown(skills.map(({ costUsd }) => costUsd)),
  };
}

const RANK: Readonly<Record<CiVerdict | "skipped", number>> = {
  unfinished: 0,
  failed: 1,
  passed: 2,
  skipped: 3,
};

function worstFirst(a: SkillOutcome, b: SkillOutcome): number {
  return RANK[a.verdict] - RANK[b.verdict] || (a.suite < b.suite ? -1 : 1);
}

/** What failed outweighs what is missing: it is known. Nothing at all is unfinished. */
function worst(all: readonly (CiVerdict | "skipped")[]): CiVerdict {
  if (all.includes("failed")) return "failed";
  return all.includes("unfinished") || all.length === 0 ? "unfinished" : "passed";
}

/** A lane that was to measure skills and has no result of one of them has not done its work. */
function withMeasured(
  outcomes: readonly LaneOutcome[],
  { skills, lanes }: { readonly skills: readonly SkillOutcome[]; readonly lanes: readonly LaneRecord[] },
): readonly LaneOutcome[] {
  return outcomes.map((outcome) => {
    const { lane, status } = outcome;
    if (lane === "check" || status !== "passed") return outcome;
    const own = skills.filter((one) => one.lane === lane);
    const wanted = lanes.filter((one) => one.lane === lane).flatMap((one) => one.skills.filter(isMeasured));
    const missing = wanted.find(({ name }) => !own.some(({ suite }) => suite === name));
    if (missing !== undefined)
      return { lane, status: "unfinished", detail: `there is no result of ${missing.name}` };
    const detail =
      own.length === 0 ? "no skill changed" : plural(new Set(own.map(({ suite }) => suite)).size, "skill");
    return { lane, status: own.length === 0 ? "passed" : worst(own.map(({ verdict }) => verdict)), detail };
  });
}

function isMeasured({ state }: LaneSkill): boolean {
  return state === "compared" || state === "new";
}

function skillOutcome(
  { lane, report, state }: MeasuredSkill,
  { require, out }: { readonly require: CiRequirement; readonly out: string },
): SkillOutcome {
  const { summary } = report;
  const { benchmark } = summary;
  const [comparison] = benchmark?.comparisons ?? [];
  const flips = comparison === undefined ? [] : changedChecks(comparison, { report, state, out });
  return {
    suite: summary.suite,
    lane,
    harness: summary.harness,
    model: summary.model,
    verdict: verdictOf(summary, require),
    finding: findingText(summary),
    decision: benchmark === null ? "" : (benchmark.decision?.text ?? headline(benchmark)),
    answer: comparison === undefined ? "" : theseCasesText(comparison.passRate),
    cases: benchmark?.cases.map(caseOutcome) ?? [],
    flips: flips.slice(0, MOST_FLIPS),
    moreFlips: Math.max(0, flips.length - MOST_FLIPS),
    // What recorded answers cost was paid when they were recorded.
    costUsd:
      lane === "replay" ? 0 : sumKnown([summary.spending.made.usage.costUsd, summary.judgeUsage.costUsd]),
  };
}

/** As many as a reader of a pull request looks at. */
const MOST_FLIPS = 20;

function verdictOf({ verdict, benchmark }: Summary, require: CiRequirement): CiVerdict {
  if (verdict === "failed") return "failed";
  if (verdict !== "passed" || benchmark === null) return "unfinished";
  return require === "better" && benchmark.verdict !== "better" ? "failed" : "passed";
}

/** `better on 4 cases, +31 points`. */
function findingText({ benchmark, verdict }: Summary): string {
  const lift = benchmark?.comparisons[0]?.passRate;
  if (benchmark === null || lift === undefined || lift.lift === null) return "not measured";
  const found = `${WORDS[benchmark.verdict]} on ${plural(lift.cases, "case")}, ${points(lift.lift)} points`;
  return verdict === "unfinished" ? `${found}, with results missing` : found;
}

const WORDS = {
  better: "better",
  worse: "worse",
  "no difference seen": "no difference",
  underpowered: "undecided",
  invalid: "not measured",
} as const;

type CaseRow = NonNullable<Summary["benchmark"]>["cases"][number];

function caseOutcome({ caseId, name, treatment, baseline }: CaseRow): CaseOutcome {
  return {
    name: name === null ? caseId : `${caseId} ${name}`,
    before: baseline.passRate,
    now: treatment.passRate,
    runs: treatment.scored + baseline.scored,
  };
}

function changedChecks(
  { treatment, baseline }: { readonly treatment: string; readonly baseline: string },
  { report, state, out }: { report: IterationReport; state: IterationState; out: string },
): readonly FlipOutcome[] {
  const [now, before] = [treatment as Variant, baseline as Variant];
  const { flips } = flipsBetween({ state, variant: before }, { state, variant: now });
  return flips
    .filter((flip): flip is Changed => Object.hasOwn(ORDER, flip.change))
    .toSorted((a, b) => ORDER[a.change] - ORDER[b.change])
    .map((flip) => {
      const { caseId, text: check, change } = flip;
      const said = evidenceOf(flip, { state, variant: now });
      return {
        caseId,
        check,
        change,
        before: passedText(flip.before),
        now: passedText(flip.after),
        evidence: said?.text ?? "",
        run: said === null ? "" : relative(out, join(report.folder, said.folder)),
      };
    });
}

type Changed = Flip & { readonly change: FlipOutcome["change"] };
const ORDER: Readonly<Record<FlipOutcome["change"], number>> = { regressed: 0, moved: 1, fixed: 2 };

function passedText(passed: Passed | null): string {
  return passed === null ? "none" : `${passed.passed} of ${passed.runs}`;
}

/** Of the new version, a run that shows where the check went: one that fails it where it got worse, else one that passes. */
function evidenceOf(
  { caseId, checkId, before, after }: Changed,
  { state, variant }: { readonly state: IterationState; readonly variant: Variant },
): { readonly text: string; readonly folder: string } | null {
  const isLoss = share(after) < share(before);
  for (const [id, { trial, folder }] of state.runs) {
    if (trial.caseId !== caseId || trial.variant !== variant) continue;
    const verdict = state.gradings
      .get(id)
      ?.verdicts.find((one) => one.checkId === checkId && (one.status === "failed") === isLoss);
    if (verdict !== undefined) return { text: verdictText(verdict), folder };
  }
  return null;
}

function share(passed: Passed | null): number {
  return passed === null || passed.runs === 0 ? 0 : passed.passed / passed.runs;
}

/** The worst first, so that it stands where titles are cut. */
function titleOf({
  states,
  skills,
  lanes,
  verdict,
  require,
}: Pick<CiResult, "skills"> & {
  readonly states: readonly LaneOutcome[];
  readonly lanes: readonly LaneRecord[];
  readonly verdict: CiVerdict;
  readonly require: CiRequirement;
}): string {
  const required = `required: ${require === "better" ? "better" : "not worse"}`;
  const broken = states.find(({ lane, status }) =>
    lane === "check" ? status === "failed" || status === "unfinished" : status === "unfinished",
  );
  const [first, ...more] = skills;
  const found =
    first === undefined
      ? nothingText(lanes, states)
      : `${first.suite}: ${first.finding}${more.length === 0 ? "" : `; and ${plural(more.length, "more result")}`}`;
  if (broken !== undefined && first?.verdict !== "failed")
    return `${broken.lane}: ${broken.detail}${first === undefined ? "" : `; ${found}`}; ${required}`;
  return verdict === "passed" && first === undefined ? found : `${found}; ${required}`;
}

function nothingText(lanes: readonly LaneRecord[], states: readonly LaneOutcome[]): string {
  if (states.length === 0) return "no results were found";
  const touched = new Set(lanes.flatMap(({ skills }) => skills.map(({ name }) => name)));
  return touched.size === 0
    ? "no skill changed"
    : `${plural(touched.size, "skill")} changed, nothing was measured`;
}

function notesOf(lanes: readonly LaneRecord[]): readonly string[] {
  const skills = new Map(lanes.flatMap((lane) => lane.skills).map((one) => [one.path, one]));
  return [...skills.values()].flatMap(({ name, state, evals, evalsChanged }) => [
    ...(state === "new" ? [`${name} is new: it was measured on its own evals, with it and without it`] : []),
    ...(state === "compared" && evals === "head"
      ? [`${name} has no task cases on the base: it was measured on its own evals`]
      : []),
    ...(state === "removed" ? [`${name} is removed`] : []),
    ...(state === "without evals" ? [`${name} has no task cases, so nothing was measured`] : []),
    ...(state === "only evals changed"
      ? [`${name}: only evals changed, so there is nothing to compare`]
      : []),
    ...(evalsChanged && state === "compared"
      ? [
          `${name}: its evals changed too; it was held to the base's, and the new ones count once they are merged`,
        ]
      : []),
  ]);
}

function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
