import { parseJson } from "../document/json.ts";
import { thrownWords } from "../thrown-words.ts";
import { type Fields, object, type ObjectOutput } from "./object.ts";
import { INVALID, ROOT, type Shape, type ShapeProblem } from "./shape.ts";
import { refine } from "./values.ts";

/** A value of the shape, or what is wrong with it. */
export type ReadPlain<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly PlainProblem[] };

type PlainProblem = Pick<ShapeProblem, "code" | "message">;

/**
 * Reads what code that is not ours answered: a copy of its own, of the shape, that shares nothing with the value. Only what
 * JSON can hold is read; `what` names the value in messages.
 */
export function readPlain<T>(value: unknown, shape: Shape<T>, what = "the answer"): ReadPlain<T> {
  const written = write(value);
  if ("problem" in written) return one("not-json", `${what} ${written.problem}`);
  const parsed = parseJson(written.text);
  if (!parsed.ok) return one("not-json", `${what} is ${parsed.problems[0]?.message ?? "no JSON value"}`);
  const problems: PlainProblem[] = [];
  const read = shape.read(parsed.root, {
    path: ROOT,
    report: ({ severity, code, message, hint }) => {
      if (severity !== "error") return;
      const words = message.replace(/^the file\b/, what);
      problems.push({ code, message: hint === undefined ? words : `${words} (${hint})` });
    },
  });
  return read === INVALID ? { ok: false, problems } : { ok: true, value: read };
}

/** The same where one sentence is enough. Throws it. */
export function plainOf<T>(value: unknown, shape: Shape<T>, what?: string): T {
  const read = readPlain(value, shape, what);
  if (read.ok) return read.value;
  throw new Error(read.problems.map(({ message }) => message).join("; "));
}

/** Only these of somebody else's object, which may hold anything else; another value as it is. */
export function only(value: unknown, keys: readonly string[]): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return value;
  return Object.fromEntries(keys.map((key) => [key, (value as Record<string, unknown>)[key]]));
}

/** An object of these fields; whatever else it has is left out. */
export function fields<F extends Fields>(of: F): Shape<Omit<ObjectOutput<F>, "extras">> {
  return refine(object(of, { unknownKeys: "allowed" }), ({ extras: _extras, ...known }) => known);
}

function write(value: unknown): { readonly text: string } | { readonly problem: string } {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? { problem: `must be a value, not ${typeof value}` } : { text };
  } catch (error) {
    return { problem: `cannot be written as JSON: ${thrownWords(error).split("\n")[0]}` };
  }
}

function one(
  code: string,
  message: string,
): { readonly ok: false; readonly problems: readonly PlainProblem[] } {
  return { ok: false, problems: [{ code, message }] };
}
