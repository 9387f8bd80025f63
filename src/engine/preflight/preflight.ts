import type { Plan } from "../../domain/plan.ts";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Machine } from "../../machine.ts";
import type { Logins } from "../logins/access.ts";
import { clientOf } from "../logins/upstreams.ts";
import { LOGIN_CLIENTS } from "../logins/login.ts";
import { judgeNote } from "../models/judge-ahead.ts";
import type { JudgeFinder } from "../models/judges.ts";
import { aboutToRun } from "./about-to-run.ts";
import { agentFinding } from "./agent.ts";
import type { Finding } from "./finding.ts";
import { isJudged, judgeFindings } from "./judge.ts";
import { loginFinding, loginNote } from "./login.ts";
import { modelMemory } from "./model-memory.ts";
import { modelFinding, type ModelQuestion } from "./model.ts";
import { agentQuestion, judgeQuestions } from "./questions.ts";
import { sandboxFinding } from "./sandbox.ts";

export interface PreflightParts {
  readonly machine: Machine;
  readonly logins: Logins;
  readonly find: JudgeFinder;
  /** Runs are graded as they end. */
  readonly grade: boolean;
  /** No service is asked: everything models say is played back. */
  readonly replay: boolean;
}

export type Preflight = (plans: readonly Plan[], concurrency: number) => Promise<void>;

/**
 * Looks before anything is paid for: whether agent, login, model, judge and sandbox fit each other. Throws a UserError for
 * what does not. Where nothing paid runs, only the judge is looked for; a script that plays costs nothing, so there a missing
 * judge is only said. Called again for more plans of the same request, it asks and says nothing twice.
 */
export function openPreflight(parts: PreflightParts): Preflight {
  const memory = modelMemory(parts.machine);
  const asked = new Map<string, Promise<Finding>>();
  const ask = (question: ModelQuestion): Promise<Finding> => {
    const key = JSON.stringify(question);
    const answer = asked.get(key) ?? modelFinding(question, memory);
    asked.set(key, answer);
    return answer;
  };
  let said = false;
  return async (plans, concurrency) => {
    if (plans.every(({ harness }) => harness === "scripted")) {
      if (!said) sayUnjudged(plans, parts);
      said = true;
      return;
    }
    const findings = await lookAhead(plans, parts, ask);
    const failures = findings.filter(({ status }) => status === "failed");
    if (failures.length > 0) throw refusal(failures);
    if (!said) await sayAhead(plans, { ...parts, concurrency });
    said = true;
  };
}

/** Which logins are used, and what is about to run. */
async function sayAhead(
  plans: readonly Plan[],
  parts: PreflightParts & { readonly concurrency: number },
): Promise<void> {
  const { machine, logins, replay } = parts;
  const used = new Set(replay ? [] : plans.map(({ harness }) => clientOf(harness)));
  for (const client of LOGIN_CLIENTS) {
    const note = used.has(client) ? loginNote(client, logins.access[client]) : null;
    if (note !== null) machine.note(note);
  }
  if (plans.some(isPaid)) machine.note(await aboutToRun(plans, parts));
}

function isPaid({ harness }: Plan): boolean {
  return !FREE.has(harness);
}

/** Their work costs nothing that Assay could know of. */
const FREE: ReadonlySet<string> = new Set(["scripted", "command"]);

function sayUnjudged(plans: readonly Plan[], { grade, replay, find, machine }: PreflightParts): void {
  const note = grade && !replay ? judgeNote([{ cases: judgedIn(plans) }], find) : null;
  if (note !== null) machine.note(note);
}

/** What can be told from here comes first; services are asked only where that is fine. */
async function lookAhead(
  plans: readonly Plan[],
  parts: PreflightParts,
  ask: (question: ModelQuestion) => Promise<Finding>,
): Promise<readonly Finding[]> {
  const paid = parts.replay ? [] : plans.filter(isPaid);
  const judged = parts.grade && !parts.replay ? judgedIn(plans) : [];
  const here = [...paid.flatMap((plan) => agentFindings(plan, parts)), ...judgeFindings(judged, parts.find)];
  if (paid.length === 0 || here.some(({ status }) => status === "failed")) return distinct(here);
  const questions = [
    ...paid.flatMap((plan) => agentQuestion(plan, parts) ?? []),
    ...judgeQuestions(judged, parts),
  ];
  return Promise.all([
    ...distinct(questions).map(ask),
    ...distinct(paid.map(({ ground }) => ground.sandbox)).map(sandboxFinding),
  ]);
}

function agentFindings({ harness, client }: Plan, { logins }: PreflightParts): readonly Finding[] {
  const program = clientOf(harness);
  return [
    ...(client === null ? [] : [agentFinding(harness, client)]),
    ...(program === null ? [] : [loginFinding(program, logins)]),
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
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function refusal(failures: readonly Finding[]): UserError {
  const fixes = [...new Set(failures.flatMap(({ fix }) => fix ?? []))];
  return new UserError(
    `preflight/${failures[0]?.subject}`,
    failures.map(({ message }) => message).join("\n"),
    { hint: `${fixes.join("; ")}. Nothing was run; assay doctor looks at everything` },
  );
}
