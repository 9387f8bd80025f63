import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Suite } from "../domain/suite.ts";

/** Something a suite lacks before it can be of full use. */
export interface Gap {
  readonly lacks: "evals" | "skill";
  readonly suite: string;
  /** Absolute path of what there is. */
  readonly file: string;
  /** The target held many. */
  readonly amongMany: boolean;
}

/** `hadFiles` says that something was there to be read, whether or not it could be. */
export function gapOf(
  suite: Suite,
  { hadFiles, amongMany }: { hadFiles: boolean; amongMany: boolean },
): Gap | null {
  const common = { suite: suite.name, amongMany };
  if (suite.skill !== null) return hadFiles ? null : { ...common, lacks: "evals", file: suite.skill.file };
  // Skillet's files never name their skill, so nothing is amiss there.
  const file = suite.files.find(({ format }) => format !== "skillet");
  return file === undefined ? null : { ...common, lacks: "skill", file: file.path };
}

/** Those of a directory of many share one note. */
export function gapNotes(gaps: readonly Gap[]): Diagnostic[] {
  const ofMany = gaps.filter(({ amongMany }) => amongMany);
  const alone = gaps.filter(({ amongMany }) => !amongMany).map((one) => [one]);
  const groups = [
    ...alone,
    ofMany.filter(({ lacks }) => lacks === "evals"),
    ofMany.filter(({ lacks }) => lacks === "skill"),
  ];
  return groups.flatMap(([first, ...others]) => (first === undefined ? [] : [note(first, others)]));
}

function note(first: Gap, others: readonly Gap[]): Diagnostic {
  const names = [first, ...others].map(({ suite }) => suite);
  const listed =
    names.length > 6 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
  const at = { file: first.file, line: 1, column: 1 };
  return first.lacks === "evals"
    ? {
        severity: "note",
        code: "load/no-evals",
        message: `no eval files were found for ${listed}`,
        at,
        hint: "put them in evals/evals.json in the skill, or pass them with --evals",
      }
    : {
        severity: "note",
        code: "load/no-skill",
        message: `no skill was found for the evals of ${listed}`,
        at,
        hint: "pass the skill with --skill; without it only the baseline can run, and a clauditor spec not at all",
      };
}
