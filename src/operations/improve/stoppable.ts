/** What a stopped question rejects with is no failure: once the signal has fired, only its reason is thrown. */
export async function stoppable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
