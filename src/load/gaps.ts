import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Suite } from "../domain/suite.ts";

/** What loading one skill, or evals by themselves, came to. */
export interface GapCandidate {
  readonly suite: Suite | null;
  /** Something was there to be read, whether or not it could be. */
  readonly hadFiles: boolean;
  /** The target held many. */
  readonly amongMany: boolean;
}

/** Notes on skills without evals and evals without a skill; those of a directory of many share one note. */
export function gaps(outcomes: readonly GapCandidate[]): Diagnostic[] {
  const ofMany = outcomes.filter(({ amongMany }) => amongMany);
  const alone = outcomes.filter(({ amongMany }) => !amongMany);
  const groups = [...alone.map((outcome) => [outcome]), ofMany];
  return groups.flatMap((group) => gapsOf(group));
}

function gapsOf(group: readonly GapCandidate[]): Diagnostic[] {
  const withoutEvals = gap(group.filter(isWithoutEvals), {
    code: "load/no-evals",
    message: "no eval files were found for",
    hint: "put them in evals/evals.json in the skill, or name them with --evals",
  });
  const withoutSkill = gap(group.filter(isWithoutSkill), {
    code: "load/no-skill",
    message: "no skill was found for the evals of",
    hint: "name the skill with --skill; without it only the baseline can run",
  });
  return [...withoutEvals, ...withoutSkill];
}

function isWithoutEvals({ suite, hadFiles }: GapCandidate): boolean {
  return suite !== null && suite.skill !== null && !hadFiles;
}

/** Skillet's files never name their skill, so nothing is amiss there. */
function isWithoutSkill({ suite }: GapCandidate): boolean {
  return suite !== null && suite.skill === null && suite.files.some(({ format }) => format !== "skillet");
}

function gap(
  outcomes: readonly GapCandidate[],
  { code, message, hint }: { code: string; message: string; hint: string },
): Diagnostic[] {
  const suites = outcomes.flatMap(({ suite }) => (suite === null ? [] : [suite]));
  const [first] = suites;
  const file = first?.skill?.file ?? first?.files[0]?.path;
  if (file === undefined) return [];
  const names = suites.map(({ name }) => name);
  const listed =
    names.length > 6 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
  return [
    { severity: "note", code, message: `${message} ${listed}`, at: { file, line: 1, column: 1 }, hint },
  ];
}
