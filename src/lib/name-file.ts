/** What the system says about an open file does not name it; this adds the name. Answers the same error. */
export function nameFile(error: unknown, path: string): unknown {
  if (error instanceof Error && "syscall" in error && !("path" in error)) Object.assign(error, { path });
  return error;
}
