/**
 * Makes each thing once and answers with the same one whenever it is asked for again; what is asked at the same time waits for
 * the same promise. A failure is not kept: whoever asks after it has the thing made anew.
 */
export function memo<A, T>(
  make: (asked: A) => T,
  keyOf: (asked: A) => unknown = (asked) => asked,
): (asked: A) => T {
  const known = new Map<unknown, T>();
  return (asked) => {
    const key = keyOf(asked);
    // What was made may itself be undefined.
    if (known.has(key)) return known.get(key) as T;
    const made = make(asked);
    known.set(key, made);
    if (made instanceof Promise) made.catch(() => known.delete(key));
    return made;
  };
}
