import { readFile } from "node:fs/promises";
import type { UserNotes } from "../domain/grading.ts";
import type { Subject } from "./subject.ts";

/**
 * What the agent itself wrote down in a user_notes.md, by its headings, as skill-creator's executor does; null: it wrote
 * none, or nothing in it.
 */
export async function userNotesOf({ files }: Pick<Subject, "files">): Promise<UserNotes | null> {
  const written = files.filter(
    ({ path, origin }) => origin !== "input" && /(?:^|\/)user_notes\.md$/i.test(path),
  );
  const texts = await Promise.all(written.map(({ stored }) => textAt(stored)));
  const notes = readUserNotes(texts.join("\n"));
  return Object.values(notes).every((lines) => lines.length === 0) ? null : notes;
}

export function readUserNotes(text: string): UserNotes {
  const found = { uncertainties: [] as string[], needsReview: [] as string[], workarounds: [] as string[] };
  let section: string[] | null = null;
  for (const line of text.split(/\r?\n/)) {
    const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
    if (heading !== undefined) section = sectionOf(heading, found);
    else add(section, line);
  }
  return found;
}

const SECTIONS: readonly (readonly [RegExp, keyof UserNotes])[] = [
  [/uncertain/i, "uncertainties"],
  [/review/i, "needsReview"],
  [/workaround/i, "workarounds"],
];

function sectionOf(heading: string, found: Record<keyof UserNotes, string[]>): string[] | null {
  const key = SECTIONS.find(([pattern]) => pattern.test(heading))?.[1];
  return key === undefined ? null : found[key];
}

/** A line that is no item of its own goes on with the one before. */
function add(section: string[] | null, line: string): void {
  const [, bullet = "", words = ""] = /^\s*([-*+]|\d+[.)])?\s*(.*?)\s*$/.exec(line) ?? [];
  if (section === null || words === "" || NOTHING.test(words) || section.length >= MOST_NOTES) return;
  const last = section.at(-1);
  if (bullet === "" && last !== undefined && /^\s/.test(line))
    section[section.length - 1] = `${last} ${words}`;
  else section.push(words.slice(0, MOST_CHARS));
}

const NOTHING = /^\(?(?:none|nothing|n\/a|-+)\)?\.?$/i;
const MOST_NOTES = 50;
const MOST_CHARS = 1000;
const MOST_BYTES = 256 * 1024;

async function textAt(stored: string | null): Promise<string> {
  if (stored === null) return "";
  const text = await readFile(stored, "utf8").catch(() => "");
  return text.slice(0, MOST_BYTES);
}
