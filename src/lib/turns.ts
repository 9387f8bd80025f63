/** Runs one after the other what must not overlap, in order of call. */
export function turns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = last.then(act, act);
    last = mine.catch(() => {});
    return mine;
  };
}
