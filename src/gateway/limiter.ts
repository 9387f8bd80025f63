/** Milliseconds and timers; passed in so that tests need not wait. */
export interface Clock {
  now(): number;
  /** Runs once after that time; the answer takes it back. */
  after(ms: number, run: () => void): () => void;
}

/** How many requests may be at a service at once, learned from what it says. */
export interface Limiter {
  /** Waits for a place, in order of asking; who asks again after a refusal comes first. Rejects when `signal` fires. */
  acquire(signal: AbortSignal, options?: { again?: boolean }): Promise<Permit>;
  /** How long nothing will be sent, because the service asked for it. */
  pausedMs(): number;
  snapshot(): LimiterSnapshot;
}

export interface Permit {
  /** Gives the place back; a second call changes nothing. */
  release(said: ServiceSaid): void;
}

/** What a request told about the load of the service. */
export type ServiceSaid =
  | { readonly kind: "fine" }
  /** 429 or 529. */
  | { readonly kind: "limited"; readonly retryAfterMs: number | null }
  /** Another 5xx, or a connection that broke. */
  | { readonly kind: "failing" }
  /** Nothing about load: a refused request, a client that left. */
  | { readonly kind: "nothing" };

export interface LimiterSnapshot {
  readonly limit: number;
  readonly inFlight: number;
  readonly waiting: number;
  /** Until the service may be asked again; 0 when it may. */
  readonly pausedMs: number;
  /** After a refusal the limit does not grow for a while. */
  readonly cooling: boolean;
  /** Refusals so far. */
  readonly limited: number;
}

export interface LimiterOptions {
  readonly start: number;
  readonly floor: number;
  readonly ceiling: number;
  readonly cutTo: number;
  readonly growBy: number;
  /** A place counts as wanted when this share of the limit is in use. */
  readonly saturation: number;
  readonly cooldownMs: number;
}

const DEFAULT_LIMITS: LimiterOptions = {
  start: 20,
  floor: 10,
  ceiling: 100,
  cutTo: 0.8,
  growBy: 0.05,
  saturation: 0.8,
  cooldownMs: 15_000,
};

/**
 * Cuts the limit once for each episode of refusals, holds everything back while the service asks for it, and grows
 * again by a small step after as many clean answers as the limit, given while it was nearly used up.
 */
export function adaptiveLimiter(clock: Clock, options: Partial<LimiterOptions> = {}): Limiter {
  const { start, floor, ceiling, ...rules } = { ...DEFAULT_LIMITS, ...options };
  const queue: (() => void)[] = [];
  let limit = Math.min(ceiling, start);
  let inFlight = 0;
  let limited = 0;
  let cleanAnswers = 0;
  let pausedUntil = -Infinity;
  let coolUntil = -Infinity;
  let cancelWake: (() => void) | null = null;

  const pausedMs = (): number => Math.max(0, pausedUntil - clock.now());

  const admit = (): void => {
    const pause = pausedMs();
    if (pause > 0) {
      cancelWake ??= clock.after(pause, () => {
        cancelWake = null;
        admit();
      });
      return;
    }
    while (inFlight < limit) {
      const next = queue.shift();
      if (next === undefined) return;
      inFlight++;
      next();
    }
  };

  const refused = (retryAfterMs: number | null): void => {
    const now = clock.now();
    limited++;
    cleanAnswers = 0;
    if (now >= coolUntil) limit = Math.max(Math.min(floor, limit), Math.floor(limit * rules.cutTo));
    coolUntil = Math.max(coolUntil, now + Math.max(rules.cooldownMs, retryAfterMs ?? 0));
    if (retryAfterMs !== null) pausedUntil = Math.max(pausedUntil, now + retryAfterMs);
  };

  const answered = (): void => {
    if (clock.now() < coolUntil || inFlight < limit * rules.saturation) return;
    if (++cleanAnswers < limit) return;
    cleanAnswers = 0;
    limit = Math.min(ceiling, limit + Math.max(1, Math.round(limit * rules.growBy)));
  };

  const permit = (): Permit => {
    let held = true;
    return {
      release(said) {
        if (!held) return;
        held = false;
        if (said.kind === "fine") answered();
        else if (said.kind === "limited") refused(said.retryAfterMs);
        else if (said.kind === "failing") cleanAnswers = 0;
        inFlight--;
        admit();
      },
    };
  };

  return {
    pausedMs,
    acquire(signal, { again = false } = {}) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const leave = (): void => {
          queue.splice(queue.indexOf(enter), 1);
          reject(signal.reason as Error);
        };
        const enter = (): void => {
          signal.removeEventListener("abort", leave);
          resolve(permit());
        };
        signal.addEventListener("abort", leave, { once: true });
        if (again) queue.unshift(enter);
        else queue.push(enter);
        admit();
      });
    },
    snapshot: () => ({
      limit,
      inFlight,
      waiting: queue.length,
      pausedMs: pausedMs(),
      cooling: clock.now() < coolUntil,
      limited,
    }),
  };
}
