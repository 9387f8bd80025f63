import { relative } from "node:path";
import type { Case, EvalFile } from "../../src/domain/suite.ts";
import { READABLE_FORMATS } from "../../src/load/formats/index.ts";
import { loadTargets } from "../../src/load/load.ts";
import { tempTree } from "./temp-tree.ts";

// Read at the start, so that no test waits for it.
await Promise.all(Object.values(READABLE_FORMATS).map((open) => open?.()));

export interface Imported {
  readonly files: readonly EvalFile[];
  readonly cases: readonly Case[];
  /** `skill: case, case`, or `-` where the skill is not known. */
  readonly suites: readonly string[];
  /** `file:line:column severity code: message (hint)`. */
  readonly told: readonly string[];
  readonly notes: readonly string[];
  readonly errors: readonly string[];
}

/** What Assay reads of a project with these files. */
export async function imported(
  files: Readonly<Record<string, string>>,
  target = ".",
  options: { readonly skill?: string } = {},
): Promise<Imported> {
  await using tree = await tempTree(files);
  const { suites, diagnostics } = await loadTargets([target], {
    cwd: tree.root,
    evals: null,
    skill: options.skill ?? null,
    skilletDir: null,
    home: null,
    projectRoot: tree.root,
    lint: null,
  });
  const shown = diagnostics.map(({ severity, code, message, at, hint }) => ({
    severity,
    text: `${relative(tree.root, at?.file ?? "")}:${at?.line}:${at?.column} ${severity} ${code}: ${message}${hint === null ? "" : ` (${hint})`}`,
  }));
  const of = (severity: string) => shown.filter((one) => one.severity === severity).map(({ text }) => text);
  return {
    files: suites.flatMap((suite) => suite.files),
    cases: suites.flatMap((suite) => suite.cases),
    suites: suites.map(
      ({ skill, cases }) => `${skill?.name ?? "-"}: ${cases.map(({ id }) => id).join(", ")}`,
    ),
    told: shown.map(({ text }) => text),
    notes: of("note"),
    errors: of("error"),
  };
}

/** A check's claim by its kind, without what every check has. */
export function claims(one: Case | undefined): readonly object[] {
  return (one?.checks ?? []).map(
    ({ id: _id, layer: _layer, text, appliesTo: _applies, origin: _origin, ...claim }) =>
      claim.kind === "criterion" ? { ...claim, text } : claim,
  );
}

export const SKILL = (name: string) =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it for ${name}.\n---\nDo ${name}.\n`;
