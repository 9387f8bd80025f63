import type { Case, Suite } from "../../domain/suite.ts";
import type { Trial } from "../../domain/trial.ts";
import type { TrialOptions } from "../../iteration/work.ts";
import { deadlineSeconds } from "../../run/deadline.ts";
import { probeName } from "../../triggers/probe.ts";
import type { RunOptions } from "../../cli/options/run.ts";

/** The name of the skill in one probe; null where the trial asks for more than whether it fires. */
export function probeOf({ skill }: Suite, { kind }: Case, trial: Trial): string | null {
  return kind === "trigger" && skill !== null ? probeName(skill.name, trial) : null;
}

/** What one case asks of the harness, with what the user said on top; `probe` names the skill in a trigger probe. */
export function trialOptions(
  one: Case,
  model: string | null,
  options: RunOptions,
  probe: string | null,
): TrialOptions {
  const { settings } = one;
  return {
    harness: {
      model,
      maxTurns: options.maxTurns,
      permissionMode: options.permissionMode,
      allowedTools: options.allowedTools,
      extraArgs: options.agentArgs,
      syncTasks: options.syncTasks ?? settings.syncTasks ?? false,
      // Only clauditor's document promises this heuristic; elsewhere an answer may end with a question.
      // An agent that answers a query with a question has answered it.
      allowHangHeuristic: probe === null && (settings.allowHangHeuristic ?? one.format === "clauditor"),
      stopOnSkill: probe,
    },
    deadlineSeconds: deadlineSeconds(one, options.timeoutSeconds, options.fallback.timeoutSeconds),
    skillName: probe,
    mcpServers: options.mcpServers,
  };
}
