/** The steps of a path like `a.b[0]["odd key"]`; a leading `$` is taken for the root. Null when it cannot be read. */
export function parseJsonPath(path: string): readonly (string | number)[] | null {
  const steps: (string | number)[] = [];
  let rest = path.trim().replace(/^\$(?=[.[]|$)/, "");
  if (rest !== "" && !/^[.[]/.test(rest)) rest = `.${rest}`;
  while (rest !== "") {
    const match = /^(?:\.([^.[\]]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\['([^']*)'\])/u.exec(rest);
    if (match === null) return null;
    const [step, name, index, quoted, single] = match;
    if (index !== undefined) steps.push(Number(index));
    else if (quoted !== undefined) steps.push(unquote(quoted));
    else steps.push(name ?? single ?? "");
    rest = rest.slice(step.length);
  }
  return steps;
}

/** The value at the end of the steps; undefined where there is none. A name of digits also counts into a list. */
export function valueAt(value: unknown, steps: readonly (string | number)[]): unknown {
  let here = value;
  for (const step of steps) {
    if (typeof here !== "object" || here === null) return undefined;
    if (Array.isArray(here)) {
      const index = typeof step === "number" ? step : /^\d+$/.test(step) ? Number(step) : -1;
      here = (here as readonly unknown[])[index];
    } else {
      const key = String(step);
      here = Object.hasOwn(here, key) ? (here as Readonly<Record<string, unknown>>)[key] : undefined;
    }
  }
  return here;
}

/** Equal as JSON: the order of keys does not matter. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]));
}

function unquote(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
