import type { Plan } from "../../domain/plan.ts";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { memo } from "../../lib/memo.ts";
import type { Machine } from "../../machine.ts";
import type { GradingChoice } from "../../providers/grading-choice.ts";
import { isFree } from "../../run/harnesses/index.ts";
import type { Logins } from "../logins/access.ts";
import { clientOf, keyedClientOf } from "../logins/upstreams.ts";
import { LOGIN_CLIENTS } from "../logins/login.ts";
import { judgeNote } from "../models/judge-ahead.ts";
import type { JudgeFinder } from "../models/judges.ts";
import type { Survey } from "../survey.ts";
import { aboutToRun } from "./about-to-run.ts";
import { agentFinding } from "./agent.ts";
import type { Finding } from "./finding.ts";
import { isJudged, judgeFindings, judgeProgramFinding } from "./judge.ts";
import { keyFinding, loginFinding, loginNote } from "./login.ts";
import { modelMemory } from "./model-memory.ts";
import { modelFinding, type ModelQuestion } from "./model.ts";
import { agentQuestion, aliasFinding, judgeQuestion } from "./questions.ts";
import { sandboxFinding } from "./sandbox.ts";

export interface PreflightParts {
  readonly machine: Machine;
  readonly logins: Logins;
  readonly find: JudgeFinder;
  /** Runs are graded as they end. */
  readonly grade: boolean;
  /** No service is asked: everything models say is played back. */
  readonly replay: boolean;
  readonly signal: AbortSignal;
}

export type Preflight = (plans: readonly Plan[], around: Around) => Promise<void>;

interface Around {
  readonly concurrency: number;
  readonly survey: Pick<Survey, "sandbox">;
}

/** What is asked of services and programs, each once. */
interface Asking {
  readonly model: (question: ModelQuestion) => Promise<Finding>;
  readonly judgeProgram: (choice: GradingChoice) => Promise<Finding | null>;
}

/**
 * Looks before anything is paid for: whether agent, login, model, judge and sandbox fit each other. Throws a UserError for
 * what does not. Where nothing paid runs, only the judge is looked for; a script that plays costs nothing, so there a missing
 * judge is only said. Called again for more plans of the same request, it asks and says nothing twice.
 */
export function openPreflight(parts: PreflightParts): Preflight {
  const { machine, signal } = parts;
  const memory = modelMemory(machine);
  const asking: Asking = {
    model: memo((question: ModelQuestion) => modelFinding(question, { memory, signal }), asKey),
    judgeProgram: memo(
      (choice: GradingChoice) => judgeProgramFinding(choice, { machine, signal }),
      ({ provider }) => provider,
    ),
  };
  let said = false;
  return async (plans, { concurrency, survey }) => {
    if (plans.every(({ harness }) => harness === "scripted")) {
      if (!said) sayUnjudged(plans, parts);
      said = true;
      return;
    }
    const findings = await lookAhead(plans, parts, { ...asking, survey });
    const notes = findings.filter(isSaid).map(({ message, fix }) => `${message} ${fix}`);
    if (!said) for (const note of new Set(notes)) machine.note(note);
    const failures = findings.filter(({ status }) => status === "failed");
    if (failures.length > 0) throw refusal(failures);
    if (!said) {
      sayLogins(plans, parts);
      machine.note(await aboutToRun(plans, { ...parts, ...survey, concurrency }));
    }
    said = true;
  };
}

/** Of a sandbox that could be better, a run speaks where it meets it. */
function isSaid({ subject, status }: Finding): boolean {
  return status === "note" && subject !== "sandbox";
}

function sayLogins(plans: readonly Plan[], { machine, logins, replay }: PreflightParts): void {
  const used = new Set(replay ? [] : plans.map(({ harness }) => clientOf(harness)));
  for (const client of LOGIN_CLIENTS) {
    const note = used.has(client) ? loginNote(client, logins.access[client]) : null;
    if (note !== null) machine.note(note);
  }
}

function sayUnjudged(plans: readonly Plan[], { grade, replay, find, machine }: PreflightParts): void {
  const note = grade && !replay ? judgeNote([{ cases: judgedIn(plans) }], find) : null;
  if (note !== null) machine.note(note);
}

/** What can be told from here comes first; services are asked only where that is fine. */
async function lookAhead(
  plans: readonly Plan[],
  parts: PreflightParts,
  asking: Asking & Pick<Around, "survey">,
): Promise<readonly Finding[]> {
  const paid = parts.replay ? [] : plans.filter(({ harness }) => !isFree(harness));
  const judged = parts.grade && !parts.replay ? judgedIn(plans) : [];
  const here = [...paid.flatMap((plan) => agentFindings(plan, parts)), ...judgeFindings(judged, parts.find)];
  if (here.some(({ status }) => status === "failed")) return distinct(here);
  const choices = distinct(judged.flatMap((one) => parts.find.choices(one)));
  const questions = [
    ...paid.flatMap((plan) => agentQuestion(plan, parts) ?? []),
    ...choices.flatMap((choice) => judgeQuestion(choice, parts) ?? []),
  ];
  const asked = await Promise.all([
    ...distinct(questions).map(asking.model),
    ...choices.map(asking.judgeProgram),
    ...distinct(paid.map(({ ground }) => ground.sandbox)).map((name) => sandboxFinding(name, asking.survey)),
  ]);
  return [...distinct(here), ...asked.filter((finding) => finding !== null)];
}

function agentFindings(
  { harness, client, model }: Plan,
  { logins, machine }: PreflightParts,
): readonly Finding[] {
  const program = clientOf(harness);
  const keyed = keyedClientOf(harness);
  return [
    ...(client === null ? [] : [agentFinding(harness, client)]),
    ...(program === null ? [] : [loginFinding(program, logins)]),
    ...(keyed === null ? [] : [keyFinding(keyed, machine.env)]),
    ...[aliasFinding({ harness, model })].filter((finding) => finding !== null),
  ];
}

/** The cases of the plans that have a check for a judge, each once. */
function judgedIn(plans: readonly Plan[]): readonly Case[] {
  const cases = plans.flatMap(({ suite, trials }) => {
    const planned = new Set(trials.map(({ caseId }) => caseId));
    return suite.cases.filter((one) => planned.has(one.id) && isJudged(one));
  });
  return [...new Set(cases)];
}

function distinct<T>(all: readonly T[]): readonly T[] {
  return [...new Map(all.map((one) => [asKey(one), one])).values()];
}

function asKey(one: unknown): string {
  return JSON.stringify(one);
}

function refusal(failures: readonly Finding[]): UserError {
  const fixes = [...new Set(failures.flatMap(({ fix }) => fix ?? []))];
  const messages = [...new Set(failures.map(({ message }) => message))];
  return new UserError(`preflight/${failures[0]?.subject}`, messages.join("\n"), {
    hint: `${fixes.join("; ")}. Nothing was run; assay doctor checks everything`,
  });
}
