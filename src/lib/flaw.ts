/** What a value must be for those who read it; a function decides, a list holds for each entry, an object for each of its keys. */
export type Demand = ((value: unknown) => boolean) | readonly [Demand] | { readonly [key: string]: Demand };

/** Where a value is not as wanted, as a path such as `run.notes.0`; null: it is. Cheap enough for every line of a long file. */
export function flawIn(value: unknown, wanted: Demand): string | null {
  if (typeof wanted === "function") return wanted(value) ? null : "";
  if (typeof value !== "object" || value === null || Array.isArray(value) !== isList(wanted)) return "";
  return isList(wanted)
    ? flawInList(value as readonly unknown[], wanted[0])
    : flawInObject(value as Readonly<Record<string, unknown>>, wanted);
}

function flawInList(list: readonly unknown[], wanted: Demand): string | null {
  for (const [at, entry] of list.entries()) {
    const flaw = flawIn(entry, wanted);
    if (flaw !== null) return below(String(at), flaw);
  }
  return null;
}

function flawInObject(
  value: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, Demand>>,
): string | null {
  for (const key in wanted) {
    const flaw = flawIn(value[key], wanted[key] as Demand);
    if (flaw !== null) return below(key, flaw);
  }
  return null;
}

/** Paths are put together only where there is a flaw: this is asked of every line of long files. */
function below(key: string, path: string): string {
  return path === "" ? key : `${key}.${path}`;
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
