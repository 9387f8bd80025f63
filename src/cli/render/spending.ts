import type { CallSpending } from "../../operations/improve.ts";
import { usageText } from "../../operations/text.ts";

/** What one call used, for stderr. */
export function spendingText({ agents, judges }: CallSpending): string {
  const agentText = agents === null ? "nothing new run" : usageText(agents);
  const judgeText = judges === null ? "cached answers, $0" : usageText(judges);
  return `agents: ${agentText}; judges: ${judgeText}\n`;
}
