import type { EvalEvent } from "../../domain/event.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { Reporter } from "../../report/reporter.ts";

export interface WatchedServices {
  readonly reporter: Required<Reporter>;
  readonly close: () => void;
}

/**
 * The same reporter, which also hears how far services hold requests back and what was spent of a budget: as it changes, and
 * right before the verdicts that it delayed.
 */
export function watchedServices(
  reporter: Required<Reporter>,
  { gateway, now }: { gateway: Pick<Gateway, "limits" | "budget">; now: () => Date },
): WatchedServices {
  /** Services are of no iteration; what is said of them goes with the one that was heard of last. */
  let last: Iteration | null = null;
  let said: { readonly limits: string; readonly spentUsd: number | null } = { limits: "", spentUsd: null };
  let looking: NodeJS.Timeout | null = null;
  const sayLimits = (always: boolean): void => {
    const limits = gateway.limits();
    const seen = Object.values(limits)
      .map(({ limit, waiting, limited, pausedMs }) => [limit, waiting, limited, pausedMs > 0].join(" "))
      .join("; ");
    const isLimited = Object.values(limits).some(({ limited }) => limited > 0);
    if (last === null || !isLimited || (!always && seen === said.limits)) return;
    said = { ...said, limits: seen };
    reporter.event({ at: now().toISOString(), kind: "services-limited", limits }, last);
  };
  const sayMoney = (): void => {
    const { spent, maxCostUsd } = gateway.budget();
    if (last === null || maxCostUsd === null || spent.costUsd === said.spentUsd) return;
    said = { ...said, spentUsd: spent.costUsd };
    const { costUsd } = spent;
    reporter.event({ at: now().toISOString(), kind: "money-spent", costUsd, maxCostUsd }, last);
  };
  return {
    reporter: {
      ...reporter,
      event(event: EvalEvent, iteration: Iteration) {
        last = iteration;
        looking ??= setInterval(() => {
          sayLimits(false);
          sayMoney();
        }, LOOK_MS).unref();
        if (event.kind === "verdicts-recorded") sayLimits(true);
        if (event.kind === "verdicts-recorded" || event.kind === "trial-finished") sayMoney();
        reporter.event(event, iteration);
      },
    },
    close: () => {
      if (looking !== null) clearInterval(looking);
    },
  };
}

const LOOK_MS = 1000;
