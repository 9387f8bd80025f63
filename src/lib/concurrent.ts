/** Maps in order of input with at most `limit` calls under way; rejects with the first rejection. */
export async function mapConcurrently<T, U>(
  values: readonly T[],
  limit: number,
  map: (value: T, index: number) => Promise<U>,
): Promise<U[]> {
  const mapped: U[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < values.length) {
      const index = next++;
      mapped[index] = await map(values[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, values.length) }, work));
  return mapped;
}
