/**
 * The names that chance gave to the same things in two texts: temporary files, hashes, ids. Null when the texts differ in
 * anything else. Figures never count as names: a total that changed is a change.
 */
export function alignedNames(recorded: string, now: string): ReadonlyMap<string, string> | null {
  if (recorded.length > LONGEST || now.length > LONGEST) return null;
  const [before, after] = [tokensOf(recorded), tokensOf(now)];
  if (before.length !== after.length) return null;
  const names = new Map<string, string>();
  for (const [index, token] of before.entries()) {
    const other = after[index] ?? "";
    if (token === other) continue;
    const context = before.slice(Math.max(0, index - CONTEXT), index).join("");
    if (!areNames(token, other, context)) return null;
    if ((names.get(token) ?? other) !== other) return null;
    names.set(token, other);
  }
  return new Set(names.values()).size === names.size ? names : null;
}

/** Puts the new names for the old; whole words only. */
export function renamed(text: string, names: ReadonlyMap<string, string>): string {
  if (names.size === 0) return text;
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length);
  const any = new RegExp(`(?<![A-Za-z0-9])(?:${longestFirst.join("|")})(?![A-Za-z0-9])`, "g");
  return text.replaceAll(any, (name) => names.get(name) ?? name);
}

const LONGEST = 512 * 1024;
const CONTEXT = 6;

function tokensOf(text: string): readonly string[] {
  return text.match(/[A-Za-z0-9]+|[^A-Za-z0-9]+/g) ?? [];
}

function areNames(recorded: string, now: string, context: string): boolean {
  if (!/^[A-Za-z0-9]+$/.test(recorded) || !/^[A-Za-z0-9]+$/.test(now)) return false;
  if (ID_COMES.test(context)) return true;
  if (isFigure(recorded) && isFigure(now)) return false;
  const hashes = recorded.length === now.length && recorded.length >= 7 && isHex(recorded) && isHex(now);
  if (hashes) return true;
  return isOpaque(recorded) && isOpaque(now) && !areAlike(recorded, now);
}

/** What stands before an id in what clients and tools print. */
const ID_COMES =
  /(?:tool-results\/|tasks\/|agentId: |session ID |session_id[":= ]+|[/ ]tmp\.|\/tmp[-_.]|task_id[":= ]+|shell_id[":= ]+|with ID: )$/i;

function isFigure(token: string): boolean {
  return /^\d+$/.test(token);
}

function isHex(token: string): boolean {
  return /^[0-9a-f]+$/.test(token);
}

/** Letters and digits in no order that a person would choose. */
function isOpaque(token: string): boolean {
  return (
    token.length >= 6 && /[0-9]/.test(token) && /[A-Za-z]/.test(token) && !/^[a-z]+\d{1,3}$/i.test(token)
  );
}

/** Two spellings of nearly the same, such as version numbers, are no names of chance. */
function areAlike(one: string, other: string): boolean {
  const same = Array.from(one).filter((char, index) => char === other[index]).length;
  return same * 2 > Math.max(one.length, other.length);
}
