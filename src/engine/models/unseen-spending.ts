import { leftOut } from "../../domain/left-out.ts";
import { type LeftOut, totalTokens, type Usage } from "../../domain/run.ts";
import { NOTHING_SPENT, type Spent } from "../../gateway/budget.ts";
import type { Gateway } from "../../gateway/gateway.ts";

/** What agents spend past the gateway: only they say what it was, and only once they have ended. */
export interface UnseenSpending {
  /** Why another run must not start: those before it say what one costs, and that is more than is left. Null: it may. */
  begin(): LeftOut | null;
  /** The run has ended; `usage` is null where the gateway saw what it used. */
  end(usage: Usage | null): void;
}

export function unseenSpending(gateway: Pick<Gateway, "charge" | "passedCap">): UnseenSpending {
  let runs = 0;
  let spent: Spent = NOTHING_SPENT;
  let atWork = 0;
  const each = (share: number): Spent => ({
    costUsd: (spent.costUsd / runs) * share,
    tokens: (spent.tokens / runs) * share,
  });
  return {
    begin() {
      const passed = runs === 0 ? null : gateway.passedCap(each(atWork + 1));
      if (passed === null) {
        atWork++;
        return null;
      }
      const { cap, most, spent: sofar } = passed;
      return leftOut(
        "budget",
        `the budget of ${most} (${cap}) does not cover another run: ${sofar} is spent, going by what the agent reports`,
      );
    },
    end(usage) {
      atWork--;
      if (usage === null || (usage.costUsd === null && totalTokens(usage) === null)) return;
      const used = { costUsd: usage.costUsd ?? 0, tokens: totalTokens(usage) ?? 0 };
      runs++;
      spent = { costUsd: spent.costUsd + used.costUsd, tokens: spent.tokens + used.tokens };
      gateway.charge(used);
    },
  };
}
