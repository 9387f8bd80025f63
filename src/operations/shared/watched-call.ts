import type { EvalEvent, EventBody } from "../../domain/event.ts";
import type { Iteration } from "../../domain/iteration.ts";
import type { Control } from "../../engine/control/open-control.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { Reporter } from "../../report/reporter.ts";

export interface WatchedCall {
  readonly reporter: Required<Reporter>;
  readonly close: () => void;
}

interface Watched {
  /** Null: nothing is metered. */
  readonly gateway: Pick<Gateway, "limits" | "budget"> | null;
  readonly control: Pick<Control, "pace" | "onChange">;
  readonly now: () => Date;
}

/**
 * The same reporter, which also hears of what belongs to no trial: how far services hold requests back, what was spent of a
 * budget, and what another terminal changed. It hears as that changes, and right before the verdicts that it delayed.
 */
export function watchedCall(reporter: Required<Reporter>, { gateway, control, now }: Watched): WatchedCall {
  /** A call is of no iteration; what is said of it goes with the one that was heard of last. */
  let last: Iteration | null = null;
  /** What was said last, by the kind of event. */
  const said = new Map<EventBody["kind"], string>([["pace-changed", seenOf(paceOf(control))]]);
  let looking: NodeJS.Timeout | null = null;
  const say = (body: EventBody, { seen = seenOf(body), always = false } = {}): void => {
    if (last === null || (!always && said.get(body.kind) === seen)) return;
    said.set(body.kind, seen);
    reporter.event({ at: now().toISOString(), ...body }, last);
  };
  const sayLimits = (always: boolean): void => {
    const limits = gateway?.limits() ?? {};
    const seen = Object.values(limits)
      .map(({ limit, waiting, limited, pausedMs }) => [limit, waiting, limited, pausedMs > 0].join(" "))
      .join("; ");
    if (Object.values(limits).some(({ limited }) => limited > 0))
      say({ kind: "services-limited", limits }, { seen, always });
  };
  const sayBudget = (): void => {
    if (gateway === null) return;
    const { spent, maxCostUsd, maxTokens } = gateway.budget();
    if (maxCostUsd !== null) say({ kind: "money-spent", costUsd: spent.costUsd, maxCostUsd });
    if (maxTokens !== null) say({ kind: "tokens-used", tokens: spent.tokens, maxTokens });
  };
  control.onChange(() => {
    say(paceOf(control));
    sayBudget();
  });
  return {
    reporter: {
      ...reporter,
      event(event: EvalEvent, iteration: Iteration) {
        last = iteration;
        looking ??= setInterval(() => {
          sayLimits(false);
          sayBudget();
        }, LOOK_MS).unref();
        if (event.kind === "verdicts-recorded") sayLimits(true);
        if (event.kind === "verdicts-recorded" || event.kind === "trial-finished") sayBudget();
        reporter.event(event, iteration);
      },
    },
    close: () => {
      if (looking !== null) clearInterval(looking);
    },
  };
}

const LOOK_MS = 1000;

function paceOf({ pace: { state, concurrency } }: Watched["control"]): EventBody {
  return { kind: "pace-changed", state, concurrency };
}

function seenOf(body: EventBody): string {
  return JSON.stringify(body);
}
