import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { EvidenceSource } from "../../domain/verdict.ts";
import { scrubbed } from "../../lib/scrub.ts";
import type { QuestionPart } from "../judge.ts";
import type { Subject } from "../subject.ts";
import type { Block, Exhibit } from "./block.ts";
import { eventExhibits } from "./event-exhibits.ts";
import { fileExhibits } from "./file-exhibits.ts";
import { fitExhibits, type Gap } from "./fit.ts";
import { excerptText, searchWords } from "./passage.ts";

/** What a judge is shown of a run, and what its citations are checked against. */
export interface EvidencePack {
  readonly blocks: readonly Block[];
  /** Exhibits that did not fit at all. */
  readonly gaps: readonly Gap[];
  /** Lists that code made; `whole` says whether nothing was left out of them. */
  readonly lists: { readonly tools: PackList; readonly files: PackList };
  /** Stands in every marker; made from the content, so nobody who wrote the content can have known it. */
  readonly nonce: string;
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

/** About 30,000 tokens. */
const EVIDENCE_CHARS = 120_000;

/** Says nothing about which variant ran or where its files are kept. */
export async function evidencePack(subject: Subject, options: PackOptions): Promise<EvidencePack> {
  const events = await eventExhibits(subject.transcript());
  const files = await fileExhibits(subject.files, { images: options.images ?? false });
  const output = await outputExhibit(subject, events.hasAnswer, files);
  const request = events.exhibits.some((exhibit) => exhibit.given) ? [] : [requestExhibit(subject)];
  const hide = (text: string): string => withoutVariants(options.hide?.(text) ?? text);
  const exhibits = [...request, ...events.exhibits, ...output, ...files].map((one) => neutral(one, hide));
  const captured = subject.only === "output";
  const lists = captured
    ? { tools: NOT_KNOWN, files: NOT_KNOWN }
    : { tools: toolList(events.toolCounts), files: fileList(subject, files, hide) };
  const budget = (options.budgetChars ?? EVIDENCE_CHARS) - lists.tools.text.length - lists.files.text.length;
  const { blocks, gaps: cut } = fitExhibits(exhibits, budget, searchWords(options.statements));
  const gaps = captured ? [...cut, ...UNSEEN] : cut;
  return { blocks, gaps, lists, nonce: nonceOf(blocks, lists, options.statements) };
}

/** For a captured output: nothing may be concluded from what is not shown. */
const NOT_KNOWN: PackList = { text: "not known: only the output was captured", whole: false };
const UNSEEN: readonly Gap[] = [{ room: "actions", text: "all the agent did: only its output was captured" }];

/** The pack between its markers; every heading carries the nonce, so that none can be imitated. */
export function packParts({ blocks, gaps, lists, nonce }: EvidencePack): readonly QuestionPart[] {
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

/** A word that cannot stand in the evidence, made from its nonce. */
export function unlikelyWord({ nonce }: EvidencePack): string {
  const digest = createHash("sha256").update(`word ${nonce}`).digest();
  return Array.from({ length: 5 }, (_, i) => "bdfgklmnprstvz"[(digest[i] ?? 0) % 14] ?? "").reduce(
    (word, letter, i) => `${word}${letter}${"aeiou"[(digest[i + 5] ?? 0) % 5] ?? ""}`,
    "",
  );
}

/** Shown on its own only where neither the messages nor the files already hold it. */
async function outputExhibit(
  subject: Subject,
  hasAnswer: boolean,
  files: readonly Exhibit[],
): Promise<readonly Exhibit[]> {
  const { output } = subject;
  if (output.status === "missing") return [];
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

function toolList(counts: ReadonlyMap<string, number>): PackList {
  const listed = [...counts].map(([tool, count]) => `${tool} x${count}`);
  return { text: listed.length === 0 ? "none was called" : listed.join(", "), whole: true };
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
    .map((change) => `${JSON.stringify(hide(change.path))}: deleted`);
  const all = [...lines, ...deleted];
  if (all.length === 0) return { text: "none", whole: true };
  const rest = all.length - MOST_LISTED;
  return {
    text: [...all.slice(0, MOST_LISTED), ...(rest > 0 ? [`and ${rest} more files`] : [])].join("\n"),
    whole: rest <= 0,
  };
}

const MOST_LISTED = 200;

function nonceOf(
  blocks: readonly Block[],
  lists: EvidencePack["lists"],
  statements: readonly string[],
): string {
  const hash = createHash("sha256");
  // What time and chance decide does not count, so that the same run asks the same question on another day.
  const add = (text: string): void => {
    const lasting = scrubbed(text);
    hash.update(`${lasting.length}:${lasting}`);
  };
  statements.forEach(add);
  add(lists.tools.text);
  add(lists.files.text);
  for (const { exhibit, excerpt } of blocks) {
    add(`${exhibit.label} ${exhibit.title}`);
    if (excerpt !== null) excerpt.passages.forEach((passage) => add(passage.text));
  }
  return hash.digest("hex").slice(0, 12);
}
