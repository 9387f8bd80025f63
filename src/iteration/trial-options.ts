import type { AgentPlan, Plan } from "../domain/plan.ts";
import type { Case, Suite } from "../domain/suite.ts";
import type { Trial } from "../domain/trial.ts";
import { deadlineSeconds } from "../run/deadline.ts";
import { probeName } from "../triggers/probe.ts";
import type { TrialOptions } from "./work.ts";

/** What one trial asks of the harness: what the plan says for all, and what the case says for itself. */
export function trialOptions({ suite, ground, model, agent }: Plan, one: Case, trial: Trial): TrialOptions {
  const { older } = ground;
  return {
    ...optionsOf(one, { model, agent, probe: probeOf(suite, one, trial) }),
    ...(older !== null && trial.variant === "old_skill" && { skill: older, skillName: older.name }),
  };
}

/** The name of the skill in one probe; null where the trial asks for more than whether it fires. */
function probeOf({ skill }: Suite, { kind }: Case, trial: Trial): string | null {
  return kind === "trigger" && skill !== null ? probeName(skill.name, trial) : null;
}

function optionsOf(
  one: Case,
  { model, agent, probe }: { model: string | null; agent: AgentPlan; probe: string | null },
): TrialOptions {
  const { settings } = one;
  return {
    harness: {
      model,
      maxTurns: agent.maxTurns,
      permissionMode: agent.permissionMode,
      allowedTools: agent.allowedTools,
      extraArgs: agent.agentArgs,
      syncTasks: agent.syncTasks ?? settings.syncTasks ?? false,
      // Only clauditor's document promises this heuristic; elsewhere an answer may end with a question.
      // An agent that answers a query with a question has answered it.
      allowHangHeuristic: probe === null && (settings.allowHangHeuristic ?? one.format === "clauditor"),
      stopOnSkill: probe,
    },
    deadlineSeconds: deadlineSeconds(one, agent.timeoutSeconds, agent.fallbackTimeoutSeconds),
    skillName: probe,
    mcpServers: agent.mcpServers,
  };
}
