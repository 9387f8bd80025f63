import type { Json } from "../../../domain/json.ts";
import { type DocNode, toPlain } from "../../../lib/document/node.ts";
import type { Placed, Reading } from "./places.ts";
import type { Vars } from "./render.ts";

/** More combinations than this are a mistake, or another tool's job. */
export const MOST_COMBINATIONS = 10_000;

/** The variables of a test; a text that names a file is the file's text. Null after a problem was reported. */
export async function readVars(placed: Placed | null, reading: Reading): Promise<Vars | null> {
  if (placed === null) return {};
  const { node, document } = placed;
  if (node.kind !== "object") {
    if (node.kind === "string") {
      const file = await reading.parsed(node.value, placed, [document.path]);
      return file === null ? null : readVars({ node: file.root, document: file }, reading);
    }
    return reading.refuse(
      document.at(node.start),
      "wrong-type",
      "vars must be an object or the name of a file",
    );
  }
  const vars: Record<string, Json> = {};
  for (const { key, value } of node.entries) {
    const read = await readVar({ node: value, document }, reading);
    if (read === undefined) return null;
    vars[key] = read;
  }
  return vars;
}

async function readVar(placed: Placed, reading: Reading): Promise<Json | undefined> {
  const { node, document } = placed;
  if (node.kind !== "string" || !node.value.startsWith("file://")) return toPlain(node);
  if (/\.(?:[cm]?[jt]s|py|pdf|png|jpe?g|gif|webp)(?::\w+)?$/i.test(node.value) || node.value.includes("*")) {
    const hint = "write the value into the configuration, or into a text file";
    reading.refuse(
      document.at(node.start),
      "code-not-run",
      `${JSON.stringify(node.value)} is not text that can be read`,
      hint,
    );
    return undefined;
  }
  const file = await reading.file(node.value, placed);
  return file === null ? undefined : file.text.trim();
}

/** Every combination of the values of variables that are lists. */
export function combinations(vars: Vars): readonly Vars[] | null {
  let made: readonly Vars[] = [{}];
  for (const [name, value] of Object.entries(vars)) {
    const values: readonly Json[] = Array.isArray(value) ? value : [value];
    if (made.length * values.length > MOST_COMBINATIONS) return null;
    made = made.flatMap((one) => values.map((each) => ({ ...one, [name]: each })));
  }
  return made;
}

/** A key of an object, with the file it stands in. */
export function placedAt({ node, document }: Placed, key: string): Placed | null {
  const value: DocNode | undefined =
    node.kind === "object" ? node.entries.find((entry) => entry.key === key)?.value : undefined;
  return value === undefined || value.kind === "null" ? null : { node: value, document };
}
