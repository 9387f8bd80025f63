import type { Spending } from "../../operations/improve.ts";
import { usageText } from "../../operations/text.ts";

/** What one call used, for stderr. */
export function spendingText({ agents, judges }: Spending): string {
  const agentText = agents === null ? "nothing new run" : usageText(agents);
  const judgeText = judges === null ? "nothing new asked" : usageText(judges);
  return `agents: ${agentText}; judges: ${judgeText}\n`;
}
