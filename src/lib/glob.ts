/**
 * The pattern as a test of whole paths with forward slashes: `*` and `?` stay within one name, a name that is `**` spans
 * any number of them (also none), `[abc]`, `[a-z]` and `[!a]` are sets, `{a,b}` is a choice, a backslash takes the next
 * character literally. Wildcards match no name that begins with a dot, as in shells and Python.
 * Never throws: what is no pattern is a literal.
 */
export function globToRegExp(pattern: string): RegExp {
  const sources = expandBraces(pattern).map((choice) => sourceOf(choice.split("/")));
  return new RegExp(`^(?:${sources.join("|")})$`, "su");
}

/** `dir/*.{md,txt}` becomes `dir/*.md` and `dir/*.txt`; nested choices work, an unclosed brace is a literal. */
export function expandBraces(pattern: string): readonly string[] {
  const found: string[] = [];
  const open = [pattern];
  while (open.length > 0 && found.length + open.length <= MOST_CHOICES) {
    const next = open.shift() ?? "";
    const brace = outermostBrace(next);
    if (brace === null) found.push(next);
    else
      open.unshift(
        ...brace.choices.map((choice) => next.slice(0, brace.from) + choice + next.slice(brace.to)),
      );
  }
  return open.length === 0 ? found : [pattern];
}

/** Beyond this a pattern is taken literally, so that nested braces cannot fill the memory. */
const MOST_CHOICES = 1000;

function outermostBrace(pattern: string): { from: number; to: number; choices: readonly string[] } | null {
  let depth = 0;
  let from = -1;
  let cuts: number[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index];
    if (char === "\\") index++;
    else if (char === "{") {
      if (depth++ === 0) {
        from = index;
        cuts = [index];
      }
    } else if (char === "," && depth === 1) cuts.push(index);
    else if (char === "}" && depth > 0 && --depth === 0) {
      if (cuts.length > 1) {
        cuts.push(index);
        const choices = cuts.slice(1).map((cut, at) => pattern.slice((cuts[at] ?? 0) + 1, cut));
        return { from, to: index + 1, choices };
      }
    }
  }
  return null;
}

const ANY_NAME = "(?!\\.)[^/]+";

function sourceOf(names: readonly string[]): string {
  let source = "";
  for (const [index, name] of names.entries()) {
    const last = index === names.length - 1;
    if (name === "**") source += last ? `(?:${ANY_NAME}(?:/${ANY_NAME})*)` : `(?:${ANY_NAME}/)*`;
    else source += nameSource(name) + (last ? "" : "/");
  }
  return source;
}

function nameSource(name: string): string {
  let source = /^[*?[]/u.test(name) ? "(?!\\.)" : "";
  for (let index = 0; index < name.length;) {
    const char = String.fromCodePoint(name.codePointAt(index) ?? 0);
    index += char.length;
    if (char === "*") source += "[^/]*";
    else if (char === "?") source += "[^/]";
    else if (char === "\\" && index < name.length) {
      const next = String.fromCodePoint(name.codePointAt(index) ?? 0);
      source += literal(next);
      index += next.length;
    } else if (char === "[") {
      const set = setSource(name, index);
      source += set?.source ?? literal(char);
      index = set?.to ?? index;
    } else source += literal(char);
  }
  return source;
}

/** The set whose inside starts at `from`; null when it is never closed or its range runs backwards. */
function setSource(name: string, from: number): { source: string; to: number } | null {
  const negated = name[from] === "!" || name[from] === "^";
  const start = negated ? from + 1 : from;
  const close = name.indexOf("]", start + 1);
  if (close < 0) return null;
  const inside = name.slice(start, close).replace(/[\\\]^[]/gu, "\\$&");
  const source = `(?!/)[${negated ? "^" : ""}${inside}]`;
  return isRegExp(source) ? { source, to: close + 1 } : null;
}

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source, "su") instanceof RegExp;
  } catch {
    return false;
  }
}

function literal(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/u.test(char) ? `\\${char}` : char;
}
