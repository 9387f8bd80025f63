/** Money and tokens; the whole of a run, agents and judges together. */
export interface Spent {
  readonly costUsd: number;
  readonly tokens: number;
}

export interface BudgetOptions extends Caps {
  /** Where an earlier runner of the same run stopped. What it had reserved when it died counts as spent. */
  readonly before?: BudgetState;
  /** Called before a request is sent and after it is settled, so that a journal can hold where a resumed run goes on. */
  readonly onChange?: (state: BudgetState) => void;
}

/** Both at one moment; JSON-safe. */
export interface BudgetState {
  readonly spent: Spent;
  readonly reserved: Spent;
}

/** Never lets more be reserved than is left, so that a cap can only be passed by what one answer costs beyond its reservation. */
export interface Budget {
  /** True when every request must have a known price. */
  readonly countsMoney: boolean;
  readonly limited: boolean;
  /**
   * Waits while what is in flight might still use up what is left; answers a sentence when the cap forbids the request
   * for good. Rejects when `signal` fires.
   */
  reserve(most: Spent, signal: AbortSignal): Promise<Reservation | { readonly refused: string }>;
  /** Counts what was spent past the gateway. */
  charge(actual: Spent): void;
  /** Whether so much more fits into the caps; null: it does, otherwise which cap it would pass. */
  passed(more: Spent): PassedCap | null;
  /** Sets another cap in the place of one that is there; what waited for more goes on. */
  limit(caps: Partial<Caps>): void;
  snapshot(): BudgetSnapshot;
}

/** The most that may be spent; null: no limit. */
interface Caps {
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
}

export interface PassedCap {
  readonly cap: "--max-cost" | "--max-tokens";
  /** As people read it. */
  readonly most: string;
  readonly spent: string;
}

export interface Reservation {
  readonly most: Spent;
  /** Puts the true amount in the place of the reserved one; a second call changes nothing. */
  settle(actual: Spent): void;
}

export interface BudgetSnapshot extends BudgetState, Caps {
  /** Something was refused. */
  readonly exhausted: boolean;
}

export const NOTHING_SPENT: Spent = { costUsd: 0, tokens: 0 };

export function createBudget(options: BudgetOptions): Budget {
  let caps: Caps = { maxCostUsd: options.maxCostUsd, maxTokens: options.maxTokens };
  let spent =
    options.before === undefined ? NOTHING_SPENT : plus(options.before.spent, options.before.reserved);
  let reserved = NOTHING_SPENT;
  let exhausted = false;
  const waiting: (() => boolean)[] = [];

  const fits = (total: Spent): boolean =>
    (caps.maxCostUsd === null || total.costUsd <= caps.maxCostUsd) &&
    (caps.maxTokens === null || total.tokens <= caps.maxTokens);

  /** In order: a small request does not overtake a large one for ever. */
  const wake = (): void => {
    while (waiting[0]?.() === true) waiting.shift();
  };

  const hold = (most: Spent): Reservation => {
    let open = true;
    reserved = plus(reserved, most);
    options.onChange?.({ spent, reserved });
    return {
      most,
      settle(actual) {
        if (!open) return;
        open = false;
        reserved = minus(reserved, most);
        spent = plus(spent, actual);
        options.onChange?.({ spent, reserved });
        wake();
      },
    };
  };

  const tryNow = (most: Spent): Reservation | { refused: string } | null => {
    if (!fits(plus(spent, most))) {
      exhausted = true;
      return { refused: refusal(most, spent, caps) };
    }
    return fits(plus(plus(spent, reserved), most)) ? hold(most) : null;
  };

  return {
    countsMoney: caps.maxCostUsd !== null,
    limited: caps.maxCostUsd !== null || caps.maxTokens !== null,
    reserve(most, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const attempt = (): boolean => {
          const held = tryNow(most);
          if (held === null) return false;
          signal.removeEventListener("abort", leave);
          resolve(held);
          return true;
        };
        const leave = (): void => {
          waiting.splice(waiting.indexOf(attempt), 1);
          reject(signal.reason as Error);
          wake();
        };
        signal.addEventListener("abort", leave, { once: true });
        if (waiting.length > 0 || !attempt()) waiting.push(attempt);
      });
    },
    charge(actual) {
      spent = plus(spent, actual);
      options.onChange?.({ spent, reserved });
    },
    passed(more) {
      const total = plus(plus(spent, reserved), more);
      if (fits(total)) return null;
      exhausted = true;
      return caps.maxCostUsd !== null && total.costUsd > caps.maxCostUsd
        ? { cap: "--max-cost", most: dollars(caps.maxCostUsd), spent: dollars(spent.costUsd) }
        : { cap: "--max-tokens", most: `${caps.maxTokens} tokens`, spent: String(spent.tokens) };
    },
    limit(next) {
      caps = {
        maxCostUsd: caps.maxCostUsd === null ? null : (next.maxCostUsd ?? caps.maxCostUsd),
        maxTokens: caps.maxTokens === null ? null : (next.maxTokens ?? caps.maxTokens),
      };
      wake();
    },
    snapshot: () => ({ spent, reserved, ...caps, exhausted }),
  };
}

function refusal(most: Spent, spent: Spent, { maxCostUsd, maxTokens }: Caps): string {
  const money = maxCostUsd !== null && spent.costUsd + most.costUsd > maxCostUsd;
  return money
    ? `the budget of ${dollars(maxCostUsd)} (--max-cost) does not cover the next request: ${dollars(spent.costUsd)} spent so far, and it may cost up to ${dollars(most.costUsd)}`
    : `the budget of ${maxTokens} tokens (--max-tokens) does not cover the next request: ${spent.tokens} spent so far, and it may take up to ${most.tokens}`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount > 0 && amount < 0.01 ? 4 : 2)}`;
}

function plus(a: Spent, b: Spent): Spent {
  return { costUsd: a.costUsd + b.costUsd, tokens: a.tokens + b.tokens };
}

/** Rounding must not leave a debt behind that nobody holds. */
function minus(a: Spent, b: Spent): Spent {
  return { costUsd: Math.max(0, a.costUsd - b.costUsd), tokens: Math.max(0, a.tokens - b.tokens) };
}
