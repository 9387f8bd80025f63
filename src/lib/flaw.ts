/** What a value must be for those who read it; a function decides, a list holds for each entry, an object for each of its keys. */
export type Demand = ((value: unknown) => boolean) | readonly [Demand] | { readonly [key: string]: Demand };

/** Where a value is not as wanted, as a path such as `run.notes.0`; null: it is. Cheap enough for every line of a long file. */
export function flawIn(value: unknown, wanted: Demand, path = ""): string | null {
  if (typeof wanted === "function") return wanted(value) ? null : path;
  if (typeof value !== "object" || value === null || Array.isArray(value) !== isList(wanted)) return path;
  const pairs = isList(wanted)
    ? (value as readonly unknown[]).map((entry, at) => [String(at), entry, wanted[0]] as const)
    : Object.entries(wanted).map(([key, of]) => [key, (value as Record<string, unknown>)[key], of] as const);
  for (const [key, entry, of] of pairs) {
    const flaw = flawIn(entry, of, path === "" ? key : `${path}.${key}`);
    if (flaw !== null) return flaw;
  }
  return null;
}

export const text = (value: unknown): boolean => typeof value === "string";
export const number = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
export const object = (value: unknown): boolean => flawIn(value, {}) === null;
export const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);
export const orNull =
  (wanted: Demand) =>
  (value: unknown): boolean =>
    value === null || flawIn(value, wanted) === null;
/** For what may be left out, and is never null. */
export const orAbsent =
  (wanted: Demand) =>
  (value: unknown): boolean =>
    value === undefined || flawIn(value, wanted) === null;
/** For what came later than the oldest files, too. */
export const orNone =
  (wanted: Demand) =>
  (value: unknown): boolean =>
    value === undefined || orNull(wanted)(value);

function isList(wanted: Demand): wanted is readonly [Demand] {
  return Array.isArray(wanted);
}
