import { type Outcome, type Run, totalTokens, type Validity } from "../domain/run.ts";
import type { Trial } from "../domain/trial.ts";
import { probeOutcome } from "../run/probe.ts";
import { judgeValidity } from "../run/validity.ts";
import type { Connection, Traffic } from "./work.ts";

interface Surroundings {
  readonly connection: Connection | null;
  readonly skill: string | null;
  readonly trial: Trial;
  readonly stopOnSkill: string | null;
}

/** What passed the gateway outweighs what the client says about it. */
export function withTraffic(run: Run, { connection, skill, trial, stopOnSkill }: Surroundings): Run {
  const traffic: Traffic | undefined = connection?.traffic();
  if (traffic === undefined) return run;
  const metered = { ...run, ...usageOf(run, traffic) };
  if (traffic.stopped !== null) return { ...metered, outcome: traffic.stopped };
  if (traffic.skillsOffered === null) return metered;
  const { skillsOffered } = traffic;
  const { activations, denials } = run;
  const validity: Validity = judgeValidity({
    variant: trial.variant,
    skill,
    skillsOffered,
    activations,
    denials,
  });
  const ended = withoutVerdict(run);
  const outcome: Outcome =
    validity.status === "invalid" && ended.status === "completed"
      ? { status: "invalid", message: validity.reason }
      : ended;
  return { ...metered, skillsOffered, validity, outcome: probeOutcome(outcome, { stopOnSkill }, run) };
}

/** How the run ended before the client's own listing was believed. */
function withoutVerdict({ outcome, validity }: Run): Outcome {
  const isVerdict =
    outcome.status === "invalid" && validity.status === "invalid" && outcome.message === validity.reason;
  return isVerdict ? { status: "completed" } : outcome;
}

/** Metered tokens are exact; where the client counts otherwise, both are told. A price only one of them knows is kept. */
function usageOf(run: Run, { usage }: Traffic): Pick<Run, "usage" | "notes"> {
  if (usage === null || (usage.inputTokens === null && usage.outputTokens === null)) return run;
  const [said, seen] = [totalTokens(run.usage), totalTokens(usage)];
  const differ = said !== null && seen !== null && said !== seen;
  const notes = differ
    ? [...run.notes, `the client reports ${said} tokens, ${seen} passed the gateway`]
    : run.notes;
  return { usage: { ...usage, costUsd: usage.costUsd ?? run.usage.costUsd }, notes };
}
