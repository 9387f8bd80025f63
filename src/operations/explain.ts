import type { Case } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import type { Verdict } from "../domain/verdict.ts";
import type { EvaluationRequest } from "../engine/engine.ts";
import type { JudgeFinder } from "../engine/models/judges.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { explainRun, type Explanation } from "../grade/explain.ts";
import { NO_JUDGE } from "../grade/no-judge.ts";
import { storedSubject } from "../iteration/stored-subject.ts";
import { choice, text } from "../options/kind.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { RUN } from "../options/run.ts";
import { type Given, option, optionOr, pick, settle } from "../options/table.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { type AgentAccount, askAgent } from "./explain/ask-agent.ts";
import { findRun, type FoundRun } from "./find-run.ts";
import { openRunRequest } from "./shared/run-request.ts";

/** What `explain` can be told. */
export const EXPLAIN_OPTIONS = {
  run: option(null, text, "which run: a folder, a trial of the newest iteration, SKILL/RUN or SKILL@N/RUN"),
  from: optionOr(
    "--from <who>",
    { kind: choice(["auto", "agent", "judge"]), otherwise: "auto" },
    "who explains; auto is the agent where its session can be resumed",
  ),
  ...pick(RUN, ["workspace", "sandbox", "timeoutSeconds"]),
  ...MODELS,
  ...CASSETTES,
};
export type ExplainOptions = Given<typeof EXPLAIN_OPTIONS>;

/** What came of asking. */
export type ExplainAnswer =
  | { readonly status: "explained"; readonly explained: Explained }
  /** There is nothing to explain. */
  | { readonly status: "nothing-failed" }
  | { readonly status: "unexplained"; readonly why: string };

/** Why a run failed its checks, and who says so. */
export type Explained =
  | ({ readonly by: "agent" } & AgentAccount)
  | ({
      readonly by: "judge";
      readonly model: string;
      /** Why the agent itself was not asked, or gave no account; null: a judge was wanted. */
      readonly notTheAgent: string | null;
    } & Explanation);

/** Asks the agent itself in its own session, or a judge over its transcript, why a run failed its checks. Keeps nothing. */
export async function explain(options: ExplainOptions, door: Door): Promise<ExplainAnswer> {
  const open = openDoor(door);
  const { machine, signal } = open;
  const { run: name, from, ...offered } = settle(EXPLAIN_OPTIONS, options, sourcesOf(open));
  const results = resultsFolder(offered.workspace, machine);
  const found = await findRun(name ?? noRun(), { machine, results });
  const { state, finished } = found;
  const one = state.cases.find((candidate) => candidate.id === finished.trial.caseId);
  const verdicts = state.gradings.get(finished.trial.id)?.verdicts ?? [];
  const failed = verdicts.filter((verdict) => verdict.status === "failed");
  if (one === undefined || failed.length === 0) return { status: "nothing-failed" };
  const settled = { ...settle(RUN, {}, sourcesOf(open)), ...offered };
  await using run = await openRunRequest(settled, open, null);
  const ask = { found, one, failed, request: run.request, find: run.models.find };
  if (from === "judge") return await askJudge(ask, null, signal);
  const account = await askAgent(ask, signal);
  if (!("unasked" in account)) return { status: "explained", explained: { by: "agent", ...account } };
  if (from === "agent") return unexplained(`the agent cannot be asked: ${account.unasked}`);
  machine.note(`a judge is asked, not the agent itself: ${account.unasked}`);
  return await askJudge(ask, account.unasked, signal);
}

function noRun(): never {
  throw new UserError("show/no-run", "which run should be explained?", {
    hint: "pass a run folder, or a trial of the newest iteration, such as 1/with_skill/run-2",
  });
}

interface Ask {
  readonly found: FoundRun;
  readonly one: Case;
  readonly failed: readonly Verdict[];
  readonly request: EvaluationRequest;
  readonly find: JudgeFinder;
}

async function askJudge(
  { found, one, failed, find }: Ask,
  notTheAgent: string | null,
  signal: AbortSignal,
): Promise<ExplainAnswer> {
  const judge = find(one);
  if (judge === null)
    throw new UserError("show/no-judge", "no judge can be asked for an explanation", { hint: NO_JUDGE });
  const { folder, finished, state } = found;
  const files = folder.run(finished.folder);
  const subject = await storedSubject(finished, one, files, state.iteration?.suite ?? null);
  const told = await explainRun(judge, { subject, failed }, signal);
  return "unexplained" in told
    ? unexplained(`the judge gave no explanation that the run supports: ${told.unexplained}`)
    : { status: "explained", explained: { by: "judge", model: judge.model, notTheAgent, ...told } };
}

function unexplained(why: string): ExplainAnswer {
  return { status: "unexplained", why };
}
