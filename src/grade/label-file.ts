import type { Diagnostic } from "../domain/diagnostic.ts";
import { UserError } from "../domain/user-error.ts";
import { positions } from "../lib/document/position.ts";
import { parseYaml } from "../lib/document/yaml.ts";
import { object, optional, required } from "../lib/shape/object.ts";
import { INVALID, invalid, pathText, ROOT, type Shape } from "../lib/shape/shape.ts";
import { bool, list, record, refine, text } from "../lib/shape/values.ts";
import type { Label } from "./calibrate.ts";

/** An output that a person judged: a file, a text, or a run of an iteration by its folder. */
export interface LabelledOutput {
  readonly kind: "file" | "text" | "run";
  /** The path, the text or the folder. */
  readonly value: string;
  /** What labels and verdicts call it. */
  readonly subject: string;
  readonly labels: readonly Label[];
}

/**
 * A file of labelled outputs in YAML or JSON:
 *
 *     outputs:
 *       - output: captured/a.txt          # or `run: eval-1/with_skill/run-1`, or `text: ...`
 *         labels:
 *           distance_match: true          # id or text of a criterion
 *           age_appropriate: false
 *
 * Throws a UserError with every problem in its place.
 */
export function readLabels(file: string, content: string): readonly LabelledOutput[] {
  const position = positions(content);
  const diagnostics: Diagnostic[] = [];
  const add = (problem: { offset: number; code: string; message: string; hint?: string }): void => {
    const at = { file, ...position(problem.offset) };
    const { code, message, hint = null } = problem;
    diagnostics.push({ severity: "error", code: `labels/${code}`, message, at, hint });
  };
  const parsed = parseYaml(content);
  if (!parsed.ok) parsed.problems.forEach(add);
  const read = parsed.ok ? labelFile.read(parsed.root, { path: ROOT, report: add }) : INVALID;
  if (read !== INVALID && diagnostics.length === 0) return read;
  throw new UserError("labels/unusable", `${file} cannot be used as labels`, {
    diagnostics,
    hint: "a list `outputs`, each with `output`, `run` or `text`, and `labels` of true and false by criterion",
  });
}

const entry = object(
  {
    output: optional(text()),
    run: optional(text()),
    text: optional(text()),
    labels: required(record(bool())),
  },
  { unknownKeys: "error" },
);

const labelled: Shape<LabelledOutput> = refine(entry, (raw, context, node) => {
  const given = [
    { kind: "file", value: raw.output } as const,
    { kind: "run", value: raw.run } as const,
    { kind: "text", value: raw.text } as const,
  ].flatMap(({ kind, value }) => (value === null ? [] : [{ kind, value }]));
  const [one, second] = given;
  if (one === undefined || second !== undefined) {
    return invalid(context, node, {
      code: "one-source",
      message: `${pathText(context.path)} must have exactly one of "output", "run" and "text"`,
    });
  }
  const subject = one.kind === "text" ? `text at ${pathText(context.path)}` : one.value;
  const labels = Object.entries(raw.labels).map(([criterion, passed]) => ({ subject, criterion, passed }));
  return { ...one, subject, labels };
});

const labelFile: Shape<readonly LabelledOutput[]> = refine(
  object({ outputs: required(list(labelled, { minLength: 1 })) }, { unknownKeys: "error" }),
  ({ outputs }) => outputs,
);
