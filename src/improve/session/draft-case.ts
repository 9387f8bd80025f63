import { slugOf } from "../../lib/slug.ts";
import { type Cleaner } from "./clean.ts";
import { correctionChecks, type DraftedCheck } from "./checks.ts";
import { toldTurns } from "./corrections.ts";
import type { Session, SessionEvent } from "./session.ts";

/** A case as a session suggests it, without anything that is nobody's business. */
export interface DraftedCase {
  readonly name: string;
  /** User messages, one after the other. */
  readonly prompt: readonly string[];
  /** What the user wanted in the end, in their words. */
  readonly expected: string;
  readonly checks: readonly DraftedCheck[];
  readonly expectations: readonly string[];
  /** What the agent read, as it was before it changed anything. */
  readonly files: readonly { readonly name: string; readonly content: string }[];
  /** What was left out or taken out, in words. */
  readonly notes: readonly string[];
}

const MOST_FILES = 20;
const MOST_CHARS = 32_000;

/** `expected` is what somebody says beside the log about what must hold. */
export function draftCase(
  session: Session,
  { expected, cleaner }: { readonly expected: readonly string[]; readonly cleaner: Cleaner },
): DraftedCase {
  const { clean } = cleaner;
  const { asked, corrections } = toldTurns(session);
  const cleaned = corrections.map(({ text, wrote }) => ({ text: clean(text), wrote }));
  const { checks, expectations } = correctionChecks(cleaned, cleaner.path);
  const prompt = asked.map(clean);
  const { files, notes } = neededFiles(session.events, cleaner);
  const added = expected.map(clean);
  const said = [...cleaned.map(({ text }) => text), ...added];
  return {
    name: slugOf(prompt[0] ?? "session", "session"),
    prompt,
    expected: said.join("\n"),
    checks,
    expectations: [...expectations, ...added],
    files,
    notes: [...session.problems, ...notes, ...cleaner.removed().map((what) => `taken out: ${what}`)],
  };
}

/** Files that were read before the agent wrote them; the first reading counts. */
function neededFiles(
  events: readonly SessionEvent[],
  { clean, path: pathOf }: Cleaner,
): Pick<DraftedCase, "files" | "notes"> {
  const files = new Map<string, string>();
  const notes = new Set<string>();
  const written = new Set<string>();
  for (const event of events) {
    if (event.kind === "wrote") written.add(pathOf(event.path) ?? event.path);
    if (event.kind !== "read") continue;
    const name = pathOf(event.path);
    if (name === null) {
      notes.add(`a file outside the project was read and is left out: ${clean(event.path)}`);
      continue;
    }
    if (written.has(name) || files.has(name) || isSkillFile(name)) continue;
    if (!event.whole) notes.add(`${name} was read only in part; complete it by hand`);
    if (files.size >= MOST_FILES)
      notes.add(`more than ${MOST_FILES} files were read; the others are left out`);
    else files.set(name, shortened(clean(event.content), name, notes));
  }
  return { files: [...files].map(([name, content]) => ({ name, content })), notes: [...notes] };
}

function isSkillFile(name: string): boolean {
  return /(^|\/)(SKILL\.md|CLAUDE\.md|AGENTS\.md)$|(^|\/)\.(?:claude|agents|codex)\//.test(name);
}

function shortened(content: string, name: string, notes: Set<string>): string {
  if (content.length <= MOST_CHARS)
    return content.endsWith("\n") || content === "" ? content : `${content}\n`;
  const cut = content.slice(0, content.lastIndexOf("\n", MOST_CHARS) + 1 || MOST_CHARS);
  notes.add(`${name} is long; its first ${cut.split("\n").length - 1} lines are kept`);
  return cut;
}
