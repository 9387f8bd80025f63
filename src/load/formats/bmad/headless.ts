/**
 * The ids of the cases whose prompt gives no sign that nobody is there to answer questions; empty where the skill
 * is not one to ask any.
 */
export function withoutHeadlessSignal(
  prompts: readonly { readonly id: string; readonly prompt: string }[],
  skillBody: string | null,
): readonly string[] {
  if (skillBody !== null && !MAY_ASK.test(skillBody)) return [];
  const keywords = headlessKeywords(skillBody ?? "");
  const silent = prompts.filter(({ prompt }) => !hasSignal(prompt, keywords));
  return silent.map(({ id }) => id);
}

/** Words quoted or set as code in the skill's section on headless runs. */
export function headlessKeywords(skillBody: string): readonly string[] {
  const section = /^#{1,6}[ \t]+[^\n]*\bheadless\b[^\n]*\n([\s\S]*?)(?=^#{1,6}[ \t]|(?![\s\S]))/im.exec(
    skillBody,
  )?.[1];
  const quoted = [...(section ?? "").matchAll(/`([^`\n]{2,40})`|"([^"\n]{2,40})"|“([^”\n]{2,40})”/g)];
  return quoted
    .map((match) => (match[1] ?? match[2] ?? match[3] ?? "").trim())
    .filter((word) => word.length > 1);
}

function hasSignal(prompt: string, keywords: readonly string[]): boolean {
  return [...keywords, "headless", "headlessly"].some((keyword) => holdsWord(prompt, keyword));
}

function holdsWord(prompt: string, word: string): boolean {
  const escaped = word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w-])(?:--?)?${escaped}(?![\w-])`, "i").test(prompt);
}

/** A skill that asks, or works in steps; one that does neither needs no signal. */
const MAY_ASK =
  /\b(?:headless|ask(?:s|ing)?|questions?|clarif\w+|confirm\w*|elicit\w*|interview\w*|wait for|interactive\w*)\b|^#{1,6}[^\n]*\b(?:step|stage|phase|workflow)s?\b/im;
