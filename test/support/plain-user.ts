/** Root may do everything, so permissions only mean something to somebody else. */
export async function asPlainUser<T>(act: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
