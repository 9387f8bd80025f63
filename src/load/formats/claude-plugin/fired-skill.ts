/**
 * The skill that a `tool_used: Skill` grader asks for by its `input_match`: null where any skill will do, undefined where
 * the pattern names none or several.
 */
export function firedSkill(inputMatch: string | null): string | null | undefined {
  if (inputMatch === null) return null;
  const names = skillWords(inputMatch);
  return names.length === 1 ? names[0] : undefined;
}

/** The words of a pattern that can be names of skills, without what is regular expression or key. */
function skillWords(pattern: string): readonly string[] {
  const plain = pattern
    .replaceAll(/\[(?:\\.|[^\]\\])*\][*+?]?/g, " ")
    .replaceAll(/\\[a-zA-Z][*+?]?/g, " ")
    .replaceAll(/\\(.)/g, "$1")
    .replaceAll(/\(\?(?:[:=!]|<[=!])/g, "(");
  const words = plain.match(/[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*/g) ?? [];
  return [...new Set(words.filter((word) => !KEYS.has(word)))];
}

const KEYS: ReadonlySet<string> = new Set(["skill", "command", "name", "args"]);
