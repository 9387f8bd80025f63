import { readFile } from "node:fs/promises";
import type { AddressedPassage } from "../../domain/grading.ts";
import type { CutEvidence, Unkept } from "../../domain/run.ts";
import type { EvidenceSource } from "../../domain/verdict.ts";
import { globToRegExp } from "../../lib/glob.ts";
import { normalizeRelative } from "../../lib/relative-path.ts";
import type { QuestionPart } from "../judge.ts";
import type { Subject } from "../subject.ts";
import type { Block, Exhibit } from "./block.ts";
import { eventExhibits } from "./event-exhibits.ts";
import { fileExhibits } from "./file-exhibits.ts";
import { type EvidenceGap, fitExhibits, gapOf, toBlock } from "./fit.ts";
import { cutBlocks } from "./not-shown.ts";
import { inParts } from "./parts.ts";
import { excerptText, searchWords } from "./passage.ts";
import { shownName, shownQuoted } from "./shown-name.ts";
import { addressedNames, addressedPassages } from "./addressed-passages.ts";

/** What a judge is shown of a run, and what its citations are checked against. */
export interface EvidencePack {
  readonly blocks: readonly Block[];
  /** Exhibits that did not fit at all. */
  readonly gaps: readonly EvidenceGap[];
  /** In words, what was left out for want of room: those exhibits, and the rest of those that were cut. */
  readonly notShown: readonly string[];
  /** Lists that code made; `whole` says whether nothing was left out of them. */
  readonly lists: { readonly tools: PackList; readonly files: PackList };
  /** How the file that is graded is cited, where the case names one; null: the agent's messages are. */
  readonly graded: string | null;
  /** Where the evidence is shown in several questions: which part this is, from 1; null: it is shown in one. */
  readonly part: { readonly number: number; readonly of: number } | null;
  /** What of the run speaks to the judge, as far as it is shown. */
  readonly addressed: readonly AddressedPassage[];
}

export interface PackList {
  readonly text: string;
  readonly whole: boolean;
}

export interface PackOptions {
  /** The statements to be decided: lines of long texts that share words with them are shown. */
  readonly statements: readonly string[];
  readonly budgetChars?: number;
  /** The judge takes images. */
  readonly images?: boolean;
  /** Takes out of every text and title what the judge must not know. */
  readonly hide?: (text: string) => string;
}

/** For whoever does not say how much there is room for: about 40,000 tokens. */
const EVIDENCE_CHARS = 120_000;

/** Says nothing about which variant ran or where its files are kept. */
export async function evidencePack(subject: Subject, options: PackOptions): Promise<EvidencePack> {
  return (await evidencePacks(subject, options)).first;
}

export interface EvidencePacks {
  /** What fits into one question, the most relevant of long texts first. */
  readonly first: EvidencePack;
  /** Everything, each piece whole, in as many questions as it takes; none where the first has it all. */
  readonly parts: () => readonly EvidencePack[];
}

export async function evidencePacks(subject: Subject, options: PackOptions): Promise<EvidencePacks> {
  const events = await eventExhibits(subject.transcript());
  const files = await fileExhibits(subject.files, { images: options.images ?? false });
  const output = await outputExhibit(subject, events.hasAnswer, files);
  const request = events.exhibits.some((exhibit) => exhibit.given) ? [] : [requestExhibit(subject)];
  const hide = (text: string): string => withoutVariants(options.hide?.(text) ?? text);
  const exhibits = [...request, ...events.exhibits, ...output, ...files].map((one) => neutral(one, hide));
  const captured = subject.only === "output";
  const unkept = subject.run.unkept ?? [];
  const lists = {
    tools: captured
      ? NOT_KNOWN
      : unkept.includes("transcript")
        ? NOT_KEPT
        : toolList(events.toolCounts, subject),
    files: captured ? NOT_KNOWN : unkept.includes("files") ? NOT_KEPT : fileList(subject, files, hide),
  };
  const budget = (options.budgetChars ?? EVIDENCE_CHARS) - lists.tools.text.length - lists.files.text.length;
  const words = searchWords(options.statements);
  const { blocks, gaps: cut } = fitExhibits(exhibits, budget, words);
  const unseen = captured ? [UNSEEN] : unkept.map((one) => UNKEPT[one]);
  const beyond = [...unseen, ...cutOff(subject)];
  const gaps = [...cut, ...beyond];
  const names = addressedNames(subject, events.toolCounts);
  const packed = (
    shown: readonly Block[],
    missing: readonly EvidenceGap[],
    part: EvidencePack["part"],
  ): EvidencePack => ({
    blocks: shown,
    gaps: missing,
    notShown: [
      ...cutBlocks(shown),
      ...missing.filter((gap) => !unseen.includes(gap)).map(({ text }) => text),
    ],
    lists,
    graded: gradedLabel(subject, shown),
    part,
    addressed: [...names, ...addressedPassages(shown)],
  });
  const isWhole = cut.length === 0 && blocks.every(({ excerpt }) => excerpt === null || excerpt.whole);
  const allParts = (): readonly EvidencePack[] => {
    if (isWhole || captured) return [];
    const { parts, unread } = inParts(exhibits, budget, words);
    return parts.map((part, index) =>
      packed(
        part.map((exhibit) => toBlock(exhibit, Infinity, words)),
        [...gapOf(unread), ...beyond],
        { number: index + 1, of: parts.length },
      ),
    );
  };
  let made: readonly EvidencePack[] | null = null;
  return { first: packed(blocks, gaps, null), parts: () => (made ??= allParts()) };
}

/** The file whose text text checks read: the one that the case declares, or all that match, joined. */
function gradedLabel({ case: one, files }: Subject, blocks: readonly Block[]): string | null {
  if (one.output.kind === "messages") return null;
  const joined = blocks.find(({ exhibit }) => exhibit.source.kind === "output");
  if (joined !== undefined) return joined.exhibit.label;
  const { file, patterns } = one.output;
  const tests = (file === null ? patterns : [file]).map((pattern) =>
    globToRegExp(normalizeRelative(pattern)),
  );
  const found = files.find(({ path, origin }) => origin !== "input" && tests.some((test) => test.test(path)));
  const isIt = ({ exhibit: { source, given } }: Block) =>
    !given && source.kind === "file" && source.path === found?.path;
  return blocks.find(isIt)?.exhibit.label ?? null;
}

/** For a captured output: nothing may be concluded from what is not shown. */
const NOT_KNOWN: PackList = { text: "not known: only the output was captured", whole: false };
const UNSEEN: EvidenceGap = { room: "actions", text: "all the agent did: only its output was captured" };

/** For a run that somebody else made. */
const NOT_KEPT: PackList = { text: "not known: nobody kept them", whole: false };
const UNKEPT: Readonly<Record<Unkept, EvidenceGap>> = {
  transcript: { room: "actions", text: "all the agent did, which nobody kept" },
  files: { room: "made", text: "all files that the agent wrote, which nobody kept" },
};

/** What is told to judges of evidence that was not kept whole. */
function cutOff({ run }: Subject): readonly EvidenceGap[] {
  return (run.cut ?? []).flatMap(({ of, reason }): readonly EvidenceGap[] =>
    of === "files"
      ? [{ room: "made", text: reason }]
      : ROOMS_OF_EVENTS.map((room) => ({ room, text: reason })),
  );
}

const ROOMS_OF_EVENTS = ["turns", "actions"] as const;

/** The pack between its markers; every heading carries the nonce, so that none can be imitated. */
export function packParts({ blocks, gaps, lists }: EvidencePack, nonce: string): readonly QuestionPart[] {
  const parts: QuestionPart[] = [];
  let text = `${marker(nonce, "begin")}\n${marker(nonce, "tools")}\n${lists.tools.text}\n${marker(nonce, "files")}\n${lists.files.text}\n`;
  for (const { exhibit, excerpt } of blocks) {
    const heading = marker(nonce, `${exhibit.label} ${exhibit.title.replaceAll(/\s+/g, " ")}`);
    if (exhibit.content.kind === "image") {
      parts.push({ kind: "text", text: `${text}${heading} (the image that follows)` }, exhibit.content.image);
      text = "";
    } else if (excerpt !== null) text += `${heading}\n${excerptText(excerpt)}\n`;
  }
  for (const gap of gaps) text += `${marker(nonce, "left out")} ${gap.text}\n`;
  return [...parts, { kind: "text", text: `${text}${marker(nonce, "end")}` }];
}

export function marker(nonce: string, words: string): string {
  return `[[${nonce} ${words}]]`;
}

/** Shown on its own only where neither the messages nor the files already hold it. */
async function outputExhibit(
  subject: Subject,
  hasAnswer: boolean,
  files: readonly Exhibit[],
): Promise<readonly Exhibit[]> {
  const { output } = subject;
  if (output.status !== "present") return [];
  const { output: declared } = subject.case;
  if (declared.kind === "messages" && hasAnswer) return [];
  if (output.bytes > MOST_OUTPUT) return [outputOf({ kind: "unreadable", reason: "too large" })];
  const text = await readFile(output.path, "utf8").catch(() => null);
  // Not why: the path could tell a blind judge whose output it is.
  if (text === null) return [outputOf({ kind: "unreadable", reason: "it cannot be read" })];
  if (files.some(({ content }) => content.kind === "text" && content.text === text)) return [];
  return [outputOf({ kind: "text", text, unread: 0 })];
}

const MOST_OUTPUT = 32 * 1024 * 1024;

function outputOf(content: Exhibit["content"]): Exhibit {
  const source: EvidenceSource = { kind: "output", line: null };
  return { label: "output", title: "the graded text", source, room: "turns", given: false, content };
}

/** For transcripts that do not repeat what was asked. */
function requestExhibit({ case: one }: Subject): Exhibit {
  const text = one.prompt.kind === "turns" ? one.prompt.turns.join("\n\n") : one.prompt.args;
  return {
    label: "request",
    title: "what the agent was asked",
    source: { kind: "event", index: 0 },
    room: "turns",
    given: true,
    content: { kind: "text", text, unread: 0 },
  };
}

/** Folder names of an iteration would tell which skill was installed. */
function neutral(exhibit: Exhibit, hide: (text: string) => string): Exhibit {
  const { content } = exhibit;
  const title = hide(exhibit.title);
  if (content.kind !== "text") return { ...exhibit, title };
  return { ...exhibit, title, content: { ...content, text: hide(content.text) } };
}

function withoutVariants(text: string): string {
  return text.replaceAll(/(?<=[/\\])(?:with_skill|without_skill|old_skill|new_skill)(?=[/\\])/g, "variant");
}

function toolList(counts: ReadonlyMap<string, number>, subject: Subject): PackList {
  const listed = [...counts].map(([tool, count]) => `${shownName(tool)} x${count}`);
  return {
    text: listed.length === 0 ? "none was called" : listed.join(", "),
    whole: !isCut(subject, "transcript"),
  };
}

function isCut({ run }: Subject, part: CutEvidence["of"]): boolean {
  return run.cut?.some(({ of }) => of === part || of === "stream") ?? false;
}

function fileList(subject: Subject, exhibits: readonly Exhibit[], hide: (text: string) => string): PackList {
  const byPath = new Map(subject.files.map((file) => [file.path, file]));
  const lines = exhibits.flatMap(({ label, title, source, content }) => {
    const file = source.kind === "file" ? byPath.get(source.path) : undefined;
    if (file === undefined) return [];
    const hash = file.sha256 === null ? "" : `, sha256 ${file.sha256.slice(0, 12)}`;
    const shown = content.kind === "unreadable" ? `, unreadable: ${content.reason}` : "";
    const origin = file.origin === "input" ? "input, unchanged" : file.origin;
    return [`${label} ${hide(title)}: ${origin}, ${file.bytes} bytes${hash}${shown}`];
  });
  const deleted = subject.run.changes
    .filter((change) => change.change === "deleted")
    .map((change) => `${shownQuoted(hide(change.path))}: deleted`);
  const all = [...lines, ...deleted];
  const isWhole = !isCut(subject, "files");
  if (all.length === 0) return { text: "none", whole: isWhole };
  const rest = all.length - MOST_LISTED;
  return {
    text: [...all.slice(0, MOST_LISTED), ...(rest > 0 ? [`and ${rest} more files`] : [])].join("\n"),
    whole: rest <= 0 && isWhole,
  };
}

const MOST_LISTED = 200;
