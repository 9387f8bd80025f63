import { objectAt } from "../lib/loose.ts";
import { type WireName, WIRES } from "./index.ts";

/** A skill that a request offers to the model. */
export interface ListedSkill {
  readonly name: string;
  /** The SKILL.md it points at, where the listing says so. */
  readonly file: string | null;
}

/**
 * The skills in a request's listing, in the spelling of Claude Code, Codex, Gemini CLI, opencode or our own agent. Only
 * what the client itself says is read, never the user's words or a tool's result.
 */
export function listedSkills(wire: WireName, body: unknown): readonly ListedSkill[] {
  return skillsListedIn(WIRES[wire].http.clientTexts(objectAt(body)));
}

/** The same from the texts in which a client speaks to the model. */
export function skillsListedIn(texts: readonly string[]): readonly ListedSkill[] {
  const found = [dashed, rooted, tagged].flatMap((reader) => texts.flatMap(reader));
  return found.filter((skill, index) => found.findIndex((other) => other.name === skill.name) === index);
}

/** A skill's whole entry in a listing. */
export interface ListingLine {
  readonly name: string;
  readonly text: string;
}

/** What a request tells the model about each skill, in the same spellings. */
export function listingLines(wire: WireName, body: unknown): readonly ListingLine[] {
  const places = WIRES[wire].http.clientTexts(objectAt(body));
  const found = places.flatMap((text) => [
    ...linesIn(dashedBlock(text)),
    ...linesIn(rootedListing(rootedBlock(text))),
    ...taggedEntries(text).map((entry) => ({ name: tagIn(entry, "name") ?? "", text: entry.trim() })),
  ]);
  return found.filter((line, index) => found.findIndex((other) => other.name === line.name) === index);
}

function linesIn(listing: string): readonly ListingLine[] {
  return listing.split(/\n(?=- )/).flatMap((text) => {
    const [name] = namesIn(text);
    return name === undefined ? [] : [{ name, text: text.trim() }];
  });
}

/** Claude Code: a sentence, then `- name: description` lines up to the end of the block. */
function dashed(text: string): readonly ListedSkill[] {
  return namesIn(dashedBlock(text)).map((name) => ({ name, file: null }));
}

function dashedBlock(text: string): string {
  const listing = /skills are available for use with the Skill tool:\s*\n([\s\S]*)/.exec(text)?.[1];
  return listing?.split(/\n\n(?!- )/)[0] ?? "";
}

/** Codex: a table of roots, and `- name: description (file: r0/name/SKILL.md)` lines. */
function rooted(text: string): readonly ListedSkill[] {
  const block = rootedBlock(text);
  const listing = rootedListing(block);
  const roots = new Map([...block.matchAll(/^- `(\w+)` = `(.+)`$/gm)].map((match) => [match[1], match[2]]));
  return listing.split(/\n(?=- )/).flatMap((line) => {
    const [name] = namesIn(line);
    if (name === undefined) return [];
    const file = /\(file: ([^)]+)\)\s*$/.exec(line)?.[1] ?? null;
    const root = roots.get(file?.split("/")[0]);
    return [{ name, file: file !== null && root !== undefined ? file.replace(/^\w+/, () => root) : file }];
  });
}

function rootedBlock(text: string): string {
  return /<skills_instructions>([\s\S]*?)<\/skills_instructions>/.exec(text)?.[1] ?? "";
}

function rootedListing(block: string): string {
  return /### Available skills\n([\s\S]*?)(?=\n### |$)/.exec(block)?.[1] ?? "";
}

/** Gemini CLI, opencode and our own agent: XML. */
function tagged(text: string): readonly ListedSkill[] {
  return taggedEntries(text).flatMap((entry) => {
    const name = tagIn(entry, "name");
    const file = tagIn(entry, "location");
    return name === undefined ? [] : [{ name, file: file?.replace(/^file:\/\//, "") ?? null }];
  });
}

function taggedEntries(text: string): readonly string[] {
  const block = /<available_skills>([\s\S]*?)<\/available_skills>/.exec(text)?.[1] ?? "";
  return [...block.matchAll(/<skill>([\s\S]*?)<\/skill>/g)].map((match) => match[1] ?? "");
}

function tagIn(entry: string, name: "name" | "location"): string | undefined {
  return new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(entry)?.[1]?.trim();
}

function namesIn(listing: string): readonly string[] {
  return [...listing.matchAll(/^- (.+?)(?::(?:\s|$)|$)/gm)].map((match) => (match[1] ?? "").trim());
}
