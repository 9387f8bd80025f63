/** What somebody else's code threw, in words, whatever it is. */
export function thrownWords(error: unknown): string {
  try {
    if (error instanceof Error) return error.message === "" ? error.name : error.message;
    return typeof error === "string" && error !== "" ? error : `it threw ${String(error)}`;
  } catch {
    return "it threw a value that cannot be read";
  }
}
