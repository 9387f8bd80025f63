/** Gives out `count` slots, first come, first served; one that is disposed of goes to the next. */
export function slots(count: number): () => Promise<Disposable> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    let held = true;
    return {
      [Symbol.dispose]() {
        if (!held) return;
        held = false;
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      },
    };
  };
}
