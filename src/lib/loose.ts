/** Reading JSON that somebody else wrote without trusting its shape: what is missing or odd reads as empty or null. */
export type Loose = Readonly<Record<string, unknown>>;

export function objectAt(value: unknown, key?: string): Loose {
  const found = key === undefined ? value : objectAt(value)[key];
  return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as Loose) : {};
}

export function listAt(value: unknown, key?: string): readonly unknown[] {
  const found = key === undefined ? value : objectAt(value)[key];
  return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, key?: string): string {
  const found = key === undefined ? value : objectAt(value)[key];
  return typeof found === "string" ? found : "";
}

export function textOrNull(value: unknown, key: string): string | null {
  const found = objectAt(value)[key];
  return typeof found === "string" && found !== "" ? found : null;
}

export function numberOrNull(value: unknown, key: string): number | null {
  const found = objectAt(value)[key];
  return typeof found === "number" && Math.abs(found) <= Number.MAX_SAFE_INTEGER ? found : null;
}

export function textsAt(value: unknown, key: string): readonly string[] | null {
  const found = objectAt(value)[key];
  return Array.isArray(found) ? found.filter((entry) => typeof entry === "string") : null;
}

/** The text of a content value: a string, or a list whose entries carry `text`. */
export function contentText(value: unknown): string {
  if (typeof value === "string") return value;
  return listAt(value)
    .map((part) => textAt(part, "text"))
    .filter((text) => text !== "")
    .join("\n");
}

/** The object on a line, or null when the line is not one. */
export function parseLine(line: string): Loose | null {
  if (!line.startsWith("{")) return null;
  try {
    return objectAt(JSON.parse(line) as unknown);
  } catch {
    return null;
  }
}
