/** Money and tokens; the whole of a run, agents and judges together. */
export interface Spent {
  readonly costUsd: number;
  readonly tokens: number;
}

export interface BudgetOptions {
  /** Null: no limit. */
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
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
  snapshot(): BudgetSnapshot;
}

export interface Reservation {
  readonly most: Spent;
  /** Puts the true amount in the place of the reserved one; a second call changes nothing. */
  settle(actual: Spent): void;
}

export interface BudgetSnapshot extends BudgetState {
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
  /** Something was refused. */
  readonly exhausted: boolean;
}

export const NOTHING_SPENT: Spent = { costUsd: 0, tokens: 0 };

export function createBudget(options: BudgetOptions): Budget {
  const { maxCostUsd, maxTokens } = options;
  let spent =
    options.before === undefined ? NOTHING_SPENT : plus(options.before.spent, options.before.reserved);
  let reserved = NOTHING_SPENT;
  let exhausted = false;
  const waiting: (() => boolean)[] = [];

  const fits = (total: Spent): boolean =>
    (maxCostUsd === null || total.costUsd <= maxCostUsd) && (maxTokens === null || total.tokens <= maxTokens);

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
      return { refused: refusal(most, spent, options) };
    }
    return fits(plus(plus(spent, reserved), most)) ? hold(most) : null;
  };

  return {
    countsMoney: maxCostUsd !== null,
    limited: maxCostUsd !== null || maxTokens !== null,
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
    snapshot: () => ({ spent, reserved, maxCostUsd, maxTokens, exhausted }),
  };
}

function refusal(most: Spent, spent: Spent, { maxCostUsd, maxTokens }: BudgetOptions): string {
  const money = maxCostUsd !== null && spent.costUsd + most.costUsd > maxCostUsd;
  return money
    ? `the budget of ${dollars(maxCostUsd)} (--max-cost) does not cover the next request: ${dollars(spent.costUsd)} are spent, and it may cost up to ${dollars(most.costUsd)}`
    : `the budget of ${maxTokens} tokens (--max-tokens) does not cover the next request: ${spent.tokens} are spent, and it may take up to ${most.tokens}`;
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
