import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { explainRun, type Explanation } from "../../grade/explain.ts";
import { NO_JUDGE } from "../../grade/no-judge.ts";
import { storedSubject } from "../../iteration/stored-subject.ts";
import { EXIT } from "../../cli/exit.ts";
import type { FoundRun } from "../find-run.ts";
import { interruptible } from "../../cli/interrupt.ts";
import { type Models, openModels } from "../../engine/models/open-models.ts";
import type { Machine } from "../../machine.ts";
import { type AgentAccount, askAgent } from "./ask-agent.ts";

/** Why a run failed its checks, and who says so. */
export type Explained =
  | ({ readonly by: "agent" } & AgentAccount)
  | ({
      readonly by: "judge";
      readonly model: string;
      /** Why the agent itself was not asked, or gave no account; null: a judge was wanted. */
      readonly notTheAgent: string | null;
    } & Explanation);

/** Who is asked; `auto` is the agent where its session can be resumed, and a judge otherwise. */
export const EXPLAINERS = ["auto", "agent", "judge"] as const;

interface Wanted {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly machine: Machine;
  /** Told once what came of it; null: nothing failed, or nobody could say why. */
  readonly tell: (explained: Explained | null) => void;
}

/** Asks the agent itself, or a judge over its transcript, why the run failed. */
export async function explain(found: FoundRun, { raw, machine, tell }: Wanted): Promise<number> {
  const { state, finished } = found;
  const one = state.cases.find((candidate) => candidate.id === finished.trial.caseId);
  const failed = (state.gradings.get(finished.trial.id)?.verdicts ?? []).filter(
    (verdict) => verdict.status === "failed",
  );
  if (one === undefined || failed.length === 0) {
    machine.note("nothing to explain: no check of this run failed");
    tell(null);
    return EXIT.ok;
  }
  await using models = await openModels(raw, machine, null);
  const ask = { found, one, failed, models, raw, machine };
  return await interruptible(
    machine,
    async (signal) => {
      const explained = await explainedBy(ask, signal);
      if ("unexplained" in explained) machine.err(`error: ${explained.unexplained}\n`);
      tell("unexplained" in explained ? null : explained);
      return "unexplained" in explained ? EXIT.unfinished : EXIT.ok;
    },
    "interrupted",
  );
}

interface Ask {
  readonly found: FoundRun;
  readonly one: Case;
  readonly failed: readonly Verdict[];
  readonly models: Models;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly machine: Machine;
}

async function explainedBy(
  ask: Ask,
  signal: AbortSignal,
): Promise<Explained | { readonly unexplained: string }> {
  const from = ask.raw["from"];
  if (from === "judge") return askJudge(ask, null, signal);
  const account = await askAgent(ask, signal);
  if (!("unasked" in account)) return { by: "agent", ...account };
  if (from === "agent") return { unexplained: `the agent cannot be asked: ${account.unasked}` };
  ask.machine.note(`a judge is asked, not the agent itself: ${account.unasked}`);
  return askJudge(ask, account.unasked, signal);
}

async function askJudge(
  { found, one, failed, models }: Ask,
  notTheAgent: string | null,
  signal: AbortSignal,
): Promise<Explained | { readonly unexplained: string }> {
  const judge = models.find(one);
  if (judge === null)
    throw new UserError("show/no-judge", "no judge can be asked for an explanation", { hint: NO_JUDGE });
  const { folder, finished, state } = found;
  const files = folder.run(finished.folder);
  const subject = await storedSubject(finished, one, files, state.iteration?.suite ?? null);
  const told = await explainRun(judge, { subject, failed }, signal);
  return "unexplained" in told
    ? { unexplained: `the judge gave no explanation that the run supports: ${told.unexplained}` }
    : { by: "judge", model: judge.model, notTheAgent, ...told };
}
