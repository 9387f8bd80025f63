import type { Case } from "../../domain/suite.ts";
import type { TrialOptions } from "../../iteration/work.ts";
import { deadlineSeconds } from "../../run/deadline.ts";
import type { RunOptions } from "./options.ts";

/** What one case asks of the harness, with what the user said on top. */
export function trialOptions(one: Case, model: string | null, options: RunOptions): TrialOptions {
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
      allowHangHeuristic: settings.allowHangHeuristic ?? one.format === "clauditor",
      stopOnSkill: null,
    },
    deadlineSeconds: deadlineSeconds(one, options.timeoutSeconds),
    skillName: null,
    mcpServers: options.mcpServers,
  };
}
