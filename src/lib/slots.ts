/** A number of slots that may change while some are taken. */
export interface SlotCount {
  readonly count: () => number;
  readonly onChange: (listener: () => void) => void;
}

/** Gives out slots, first come, first served; one that is disposed of goes to the next. */
export function slots(wanted: number | SlotCount): () => Promise<Disposable> {
  const count = typeof wanted === "number" ? () => wanted : wanted.count;
  let taken = 0;
  const waiting: (() => void)[] = [];
  const admit = (): void => {
    while (taken < count()) {
      const next = waiting.shift();
      if (next === undefined) return;
      taken++;
      next();
    }
  };
  if (typeof wanted !== "number") wanted.onChange(admit);
  return async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      admit();
    });
    let held = true;
    return {
      [Symbol.dispose]() {
        if (!held) return;
        held = false;
        taken--;
        admit();
      },
    };
  };
}
