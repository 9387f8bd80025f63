import type { Check } from "../../domain/check.ts";
import { LAYERS } from "../../domain/checks/kind.ts";
import type { Extraction, JudgeAgreement } from "../../domain/grading.ts";
import type { Evidence, EvidenceSource, Verdict } from "../../domain/verdict.ts";
import type { Graded, Grader } from "../../grade/grader.ts";
import type { Subject } from "../../grade/subject.ts";
import { deepFreeze } from "../../lib/deep-freeze.ts";
import { type Field, optionalOrNull, required } from "../../lib/shape/object.ts";
import { fields, only, plainOf } from "../../lib/shape/read-plain.ts";
import type { Shape } from "../../lib/shape/shape.ts";
import { tagged } from "../../lib/shape/tagged.ts";
import { anything, bool, int, list, number, oneOf, record, text } from "../../lib/shape/values.ts";
import { within } from "../../lib/within.ts";
import { USAGE } from "./usage.ts";

/** How long a grader may take over the checks of one run. */
const GRADE_MS = 10 * 60_000;

const words = () => text({ blank: "allowed" });

const GRADER: Shape<Pick<Grader, "name" | "needs">> = fields({
  name: required(text()),
  needs: required(oneOf(["code", "network", "model"])),
});

/**
 * A grader of the user's own. What it is given is frozen, what it answers is read by its shape, and one that does not end is
 * given up: its checks are unscored. Throws where it is no grader at all.
 */
export function guardedGrader(grader: Grader): Grader {
  const own = plainOf(only(grader, ["name", "needs"]), GRADER, "it");
  for (const verb of ["decides", "grade"] as const)
    if (typeof grader[verb] !== "function") throw new Error(`it has no function ${verb}`);
  return {
    ...own,
    decides(check): check is Check {
      deepFreeze(check);
      const said: unknown = grader.decides(check);
      if (typeof said === "boolean") return said;
      throw new Error(`decides must return true or false, not ${said === null ? "null" : typeof said}`);
    },
    async grade(checks, subject, signal) {
      deepFreeze([checks, subject]);
      const patience = { limitMs: GRADE_MS, signal };
      const said = await within(() => grader.grade(checks, subject, signal), patience);
      const graded = plainOf(said, GRADED, "what grade returned");
      requireOwn(graded.verdicts, checks, subject);
      return definedOnly(graded);
    },
  };
}

function requireOwn(verdicts: readonly Verdict[], checks: readonly Check[], { trial }: Subject): void {
  const stray = verdicts.find(
    ({ checkId, trialId }) => trialId !== trial.id || !checks.some(({ id }) => id === checkId),
  );
  if (stray === undefined) return;
  const asked = `${JSON.stringify(stray.checkId)} of ${JSON.stringify(stray.trialId)}`;
  throw new Error(`it decided a check it was not asked about: ${asked}`);
}

const line = () => optionalOrNull(int({ min: 1 }));

const SOURCE = tagged<EvidenceSource>("kind", {
  output: fields({ kind: required(oneOf(["output"])), line: line() }),
  event: fields({ kind: required(oneOf(["event"])), index: required(int({ min: 0 })) }),
  file: fields({ kind: required(oneOf(["file"])), path: required(text()), line: line() }),
});

const EVIDENCE = tagged<Evidence>("kind", {
  quote: fields({ kind: required(oneOf(["quote"])), text: required(words()), source: required(SOURCE) }),
  absence: fields({ kind: required(oneOf(["absence"])), searched: required(list(SOURCE)) }),
  measure: fields({ kind: required(oneOf(["measure"])), text: required(words()) }),
  outcome: fields({ kind: required(oneOf(["outcome"])), text: required(words()) }),
});

const VERDICT: Shape<Verdict> = fields({
  trialId: required(text()),
  checkId: required(text()),
  layer: required(oneOf(LAYERS)),
  text: required(words()),
  evidence: required(list(EVIDENCE)),
  reason: required(words()),
  score: optionalOrNull(number({ min: 0, max: 1 })),
  entry: optionalOrNull(int({ min: 0 })),
  status: required(oneOf(["passed", "failed", "unscored"])),
});

const EXTRACTION = fields({
  model: required(text()),
  judge: orAbsent(text()),
  transport: orAbsent(oneOf(["api", "cli"])),
  sections: required(record(record(list(record(anything()))))),
  problems: required(list(words())),
  usage: required(USAGE),
}) as Shape<Extraction>;

const AGREEMENT: Shape<JudgeAgreement> = fields({
  judges: required(int({ min: 0 })),
  runs: required(int({ min: 0 })),
  betweenJudges: optionalOrNull(number()),
  alpha: optionalOrNull(number()),
  withinJudges: optionalOrNull(number()),
});

const GRADED = fields({
  verdicts: required(list(VERDICT)),
  claims: orAbsent(
    list(
      fields({
        claim: required(words()),
        type: required(oneOf(["factual", "process", "quality"])),
        verified: required(bool()),
        evidence: required(words()),
      }),
    ),
  ),
  evalFeedback: optionalOrNull(
    fields({
      suggestions: required(list(fields({ assertion: optionalOrNull(words()), reason: required(words()) }))),
      overall: required(words()),
    }),
  ),
  judgeModel: optionalOrNull(text()),
  usage: orAbsent(USAGE),
  extraction: orAbsent(EXTRACTION),
  agreement: orAbsent(AGREEMENT),
  addressed: orAbsent(
    list(fields({ source: optionalOrNull(SOURCE), place: required(words()), text: required(words()) })),
  ),
  idle: orAbsent(list(text())),
});

function orAbsent<T>(shape: Shape<T>): Field<T | undefined> {
  return { shape, required: false, fallback: undefined, nullMeansAbsent: true };
}

function definedOnly(graded: object): Graded {
  return Object.fromEntries(
    Object.entries(graded).filter(([, value]) => value !== undefined),
  ) as unknown as Graded;
}
