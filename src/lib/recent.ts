/** What `look` answered, for so long, to whoever asks again: for what costs more to find out than it changes meanwhile. */
export function recent<T>(look: () => T, forMs: number, clockMs = () => performance.now()): () => T {
  let seen: { readonly answer: T; readonly atMs: number } | null = null;
  return () => {
    const nowMs = clockMs();
    if (seen === null || nowMs - seen.atMs > forMs) seen = { answer: look(), atMs: nowMs };
    return seen.answer;
  };
}
