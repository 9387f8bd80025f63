/** The one file that a command prints whole, such as `cat a.csv`; null: it does something else. */
export function printedFile(command: string): string | null {
  const [, quoted, plain] = /^\s*cat\s+(?:"([^"]+)"|([^\s"'|;&<>$`*]+))\s*$/.exec(unwrapped(command)) ?? [];
  return quoted ?? plain ?? null;
}

/** The file that a command writes by `>`, where that is all it names; null: it does something else. */
export function writtenFile(command: string): string | null {
  const [, path] = /(?:^|[^>&\d])>\s*([^\s"'|;&<>$`*]+)/.exec(unwrapped(command)) ?? [];
  return path === undefined || path.startsWith("/dev/") ? null : path;
}

/** What `bash -lc "..."` runs. */
function unwrapped(command: string): string {
  const [, inner] = /^\s*(?:\S*\/)?(?:ba|z)?sh\s+-l?c\s+(['"])([\s\S]*)\1\s*$/.exec(command)?.slice(1) ?? [];
  return inner ?? command;
}
