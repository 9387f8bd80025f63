import type { Check } from "../../domain/check.ts";
import { UNKNOWN_USAGE, type Usage } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import { addUsage } from "../../domain/usage.ts";
import type { Answer, Judge } from "../../grade/judge.ts";
import { type Proposal, proposalQuestion, type ProposalContext } from "./question.ts";

export interface ProposalParts {
  readonly judge: Judge;
  /** What the loader makes of a proposal: its cases, or everything that is wrong with it. */
  readonly load: (proposal: Proposal) => Promise<LoadedProposal>;
  /** Ids of the checks of code that ask for something and hold although nothing was done. */
  readonly heldByNothing: (one: Case, signal: AbortSignal) => Promise<ReadonlySet<string>>;
}

export type LoadedProposal =
  | { readonly ok: true; readonly cases: readonly Case[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export type ProposalOutcome =
  | {
      readonly status: "proposed";
      readonly cases: readonly Case[];
      readonly dropped: readonly { readonly caseId: string; readonly check: Check }[];
      readonly usage: Usage;
    }
  | { readonly status: "invalid"; readonly problems: readonly string[]; readonly usage: Usage }
  | { readonly status: "unanswered"; readonly reason: string; readonly usage: Usage };

/** Asks for evals, has them loaded, and feeds everything that is wrong back once. Checks that cannot fail are dropped. */
export async function proposeEvals(
  context: ProposalContext,
  parts: ProposalParts,
  signal: AbortSignal,
): Promise<ProposalOutcome> {
  let usage = UNKNOWN_USAGE;
  let rejected: Parameters<typeof proposalQuestion>[1] = null;
  for (;;) {
    const answer: Answer<Proposal> = await parts.judge.ask(proposalQuestion(context, rejected), signal);
    usage = addUsage(usage, answer.usage);
    if (answer.status === "unanswered") return { status: "unanswered", reason: answer.reason, usage };
    const loaded = await parts.load(answer.value);
    const problems = loaded.ok ? missing(loaded.cases) : loaded.problems;
    if (loaded.ok && problems.length === 0) {
      return { status: "proposed", ...(await withoutIdle(loaded.cases, parts, signal)), usage };
    }
    if (rejected !== null) return { status: "invalid", problems, usage };
    rejected = { proposal: answer.value, problems };
  }
}

function missing(cases: readonly Case[]): readonly string[] {
  const unchecked = cases.filter(({ kind, checks }) => kind === "task" && checks.length === 0);
  return [
    ...(cases.some(({ kind }) => kind === "task") ? [] : ["there is no task among the evals"]),
    ...unchecked.map(({ id, name }) => `the eval ${name ?? id} has neither checks nor expectations`),
  ];
}

async function withoutIdle(
  cases: readonly Case[],
  { heldByNothing }: ProposalParts,
  signal: AbortSignal,
): Promise<{ cases: readonly Case[]; dropped: { caseId: string; check: Check }[] }> {
  const dropped: { caseId: string; check: Check }[] = [];
  const kept: Case[] = [];
  for (const one of cases) {
    const idle = one.kind === "task" ? await heldByNothing(one, signal) : new Set<string>();
    dropped.push(...one.checks.filter(({ id }) => idle.has(id)).map((check) => ({ caseId: one.id, check })));
    kept.push({ ...one, checks: one.checks.filter(({ id }) => !idle.has(id)) });
  }
  return { cases: kept, dropped };
}
