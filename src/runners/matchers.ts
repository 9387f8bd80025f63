import type { Verdict } from "../domain/verdict.ts";
import type { MeasuredQuery } from "../operations/testing.ts";
import { choseSkill, type Matched, heldTo, usedSkill } from "./matched.ts";
import { beats, fired, passesOften } from "./measurements.ts";
import { type BenchAsked, NO_SKILL } from "./measuring.ts";
import { rateAsked, type RateAsked, refuseUnknown } from "./rate-asked.ts";
import { SkillRun } from "./skill-run.ts";
import { SkillTask, TestedSkill } from "./skill.ts";
import { withHint, wrongUse } from "./user-words.ts";

/** Whatever has verdicts: a run, or a text that was graded. */
interface Judged {
  readonly verdicts: readonly Verdict[];
}

export function toHaveUsedSkill(run: unknown): Matched {
  return usedSkill(runOf(run, "a run of skill.run"));
}

/** Of a run: the agent chose the skill by itself. Of a query: it does so in most of its runs. */
export function toHaveTriggered(received: unknown): Matched {
  if (isQuery(received)) return fired(received);
  return choseSkill(runOf(received, "a run of skill.run, or what skill.query answers"));
}

/** The checks that the run was made with, and these. Of queries: each does what it should. */
export async function toPassChecks(
  received: unknown,
  checks: readonly unknown[] = [],
  how = { kept: true },
): Promise<Matched> {
  if (Array.isArray(received) && received.length > 0 && received.every(isQuery)) return allAsShould(received);
  if (received instanceof SkillRun) {
    const further = checks.length === 0 ? [] : await withHint(() => received.check(checks, how));
    const verdicts = [...received.verdicts, ...further];
    if (verdicts.length === 0)
      throw wrongUse(
        "testing/no-checks",
        "the run has no checks",
        'pass some: toPassChecks([{ type: "contains", needle: "total" }])',
      );
    return heldTo(verdicts, received);
  }
  if (isJudged(received)) return heldTo(received.verdicts, null);
  throw wrongUse(
    "testing/wrong-subject",
    "this is nothing that has checks",
    "pass a run of skill.run, what skill.grade answers, or what skill.triggers answers",
  );
}

/** A judge finds that the criterion holds. */
export async function toSatisfy(
  received: unknown,
  criterion: string,
  how = { kept: true },
): Promise<Matched> {
  const run = runOf(received, "a run of skill.run");
  return heldTo(await withHint(() => run.check([criterion], how)), run);
}

export async function toPass(received: unknown, asked?: Partial<RateAsked>): Promise<Matched> {
  const wanted = await withHint(async () => rateAsked(asked));
  if (!(received instanceof SkillTask))
    throw wrongUse(
      "testing/wrong-subject",
      "this is nothing that can be run again",
      "pass skill.case(id), or skill.task(prompt, { checks })",
    );
  return passesOften(await received.sample(wanted), wanted);
}

export async function toBeat(
  received: unknown,
  baseline: string = NO_SKILL,
  asked: BenchAsked = {},
): Promise<Matched> {
  if (!(received instanceof TestedSkill))
    throw wrongUse(
      "testing/wrong-subject",
      "this is no skill",
      'pass the skill of the test: expect(skill).toBeat("no skill")',
    );
  await withHint(async () => refuseUnknown(asked, ["runs", "minEffect", "cases"]));
  return beats(await received.bench(baseline, asked), baseline);
}

function allAsShould(queries: readonly MeasuredQuery[]): Matched {
  const wrong = queries.filter((query) => fired(query).pass !== query.shouldTrigger);
  const lines = wrong.map(
    (query) => `✗ should ${query.shouldTrigger ? "fire" : "stay silent"}: ${fired(query).message}`,
  );
  const message = `${queries.length - wrong.length} of ${queries.length} queries did what they should`;
  return { pass: wrong.length === 0, message: [message, ...lines].join("\n") };
}

function runOf(received: unknown, wanted: string): SkillRun {
  if (received instanceof SkillRun) return received;
  throw wrongUse(
    "testing/wrong-subject",
    "this is no run",
    received instanceof Promise ? "await it first" : `pass ${wanted}`,
  );
}

function isQuery(received: unknown): received is MeasuredQuery {
  return (
    typeof received === "object" && received !== null && "query" in received && "shouldTrigger" in received
  );
}

function isJudged(received: unknown): received is Judged {
  return (
    typeof received === "object" && received !== null && Array.isArray((received as Partial<Judged>).verdicts)
  );
}
