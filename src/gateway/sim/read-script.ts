import { readFile } from "node:fs/promises";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { UserError } from "../../domain/user-error.ts";
import { parseJson } from "../../lib/document/json.ts";
import { positions } from "../../lib/document/position.ts";
import { parseYaml } from "../../lib/document/yaml.ts";
import { INVALID, ROOT, type ShapeProblem } from "../../lib/shape/shape.ts";
import type { SimScript } from "./script.ts";
import { scriptShape } from "./script-shape.ts";

/** Reads a JSON or YAML script. Throws a `UserError` with every problem and its place. */
export async function readScript(path: string): Promise<SimScript> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new UserError(
      "sim/unreadable",
      isMissing ? `the script ${path} does not exist` : `${path} cannot be read: ${(error as Error).message}`,
      { hint: "pass a YAML or JSON file; docs/sim.md has a first one", cause: error },
    );
  }
  return parseScript(text, path);
}

/** As `readScript`, for text at hand; `path` names the file in messages and its ending says JSON or YAML. */
export function parseScript(text: string, path = "script.yaml"): SimScript {
  const source = text.replace(/^\uFEFF/, "");
  const position = positions(source);
  const diagnostics: Diagnostic[] = [];
  const report = (problem: Omit<ShapeProblem, "severity"> & { severity?: "error" | "note" }): void => {
    diagnostics.push({
      severity: problem.severity ?? "error",
      code: `sim/${problem.code}`,
      message: problem.message,
      at: { file: path, ...position(problem.offset) },
      hint: problem.hint ?? null,
    });
  };
  const parsed = /\.ya?ml$/i.test(path) ? parseYaml(source) : parseJson(source);
  if (!parsed.ok) for (const problem of parsed.problems) report(problem);
  const script = parsed.ok ? scriptShape.read(parsed.root, { path: ROOT, report }) : INVALID;
  if (script !== INVALID) return script;
  const [first] = diagnostics;
  const place =
    first?.at === undefined || first.at === null ? path : `${path}:${first.at.line}:${first.at.column}`;
  throw new UserError("sim/bad-script", `${place}: ${first?.message ?? "not a script"}`, {
    ...(first?.hint === undefined || first.hint === null ? {} : { hint: first.hint }),
    diagnostics,
  });
}
