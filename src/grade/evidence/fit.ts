import type { Block, Exhibit, Room } from "./block.ts";
import { excerpt, type Excerpt } from "./passage.ts";
import { capFor, cutLengths, shareOut } from "./share.ts";

/** Neighbouring exhibits of which nothing could be shown. */
export interface EvidenceGap {
  readonly text: string;
  readonly room: Room;
}

/** What each kind of exhibit gets of the budget when all want more than there is. */
const WEIGHTS: Readonly<Record<Room, number>> = { turns: 0.4, made: 0.3, actions: 0.2, inputs: 0.1 };
const ROOMS = ["turns", "made", "actions", "inputs"] as const;

/** Label, title and marker of one block. */
const HEADING_CHARS = 40;
/** Less than this of a text says nothing; rather fewer texts. */
const LEAST_CHARS = 160;

/** Exhibits in their order, each whole or cut so that all fit the budget in characters. */
export function fitExhibits(
  exhibits: readonly Exhibit[],
  budgetChars: number,
  words: ReadonlySet<string>,
): { readonly blocks: readonly Block[]; readonly gaps: readonly EvidenceGap[] } {
  const rooms = ROOMS.map((room) => exhibits.filter((exhibit) => exhibit.room === room));
  const needs = rooms.map((room) => room.reduce((sum, exhibit) => sum + lengthOf(exhibit), 0));
  const shares = shareOut(
    needs,
    ROOMS.map((room) => WEIGHTS[room]),
    Math.max(0, budgetChars),
  );
  const fitted = rooms.map((room, index) => fitRoom(room, shares[index] ?? 0, words));
  const order = new Map(exhibits.map((exhibit, index) => [exhibit, index]));
  const place = (block: Block): number => order.get(block.exhibit) ?? 0;
  return {
    blocks: fitted.flatMap((room) => room.blocks).toSorted((a, b) => place(a) - place(b)),
    gaps: fitted.flatMap((room) => room.gaps),
  };
}

function fitRoom(
  exhibits: readonly Exhibit[],
  budget: number,
  words: ReadonlySet<string>,
): { blocks: readonly Block[]; gaps: readonly EvidenceGap[] } {
  const lengths = cutLengths(exhibits.map(lengthOf), budget);
  if (capFor(exhibits.map(lengthOf), budget) >= LEAST_CHARS + HEADING_CHARS) {
    const blocks = exhibits.map((exhibit, index) =>
      toBlock(exhibit, (lengths[index] ?? 0) - HEADING_CHARS, words),
    );
    return { blocks, gaps: [] };
  }
  const kept = Math.floor(budget / (LEAST_CHARS + HEADING_CHARS));
  const first = Math.floor(kept / 3);
  const lastFrom = exhibits.length - (kept - first);
  const shown = exhibits.filter((_, index) => index < first || index >= lastFrom);
  const dropped = exhibits.slice(first, lastFrom);
  return { blocks: shown.map((exhibit) => toBlock(exhibit, LEAST_CHARS, words)), gaps: gapOf(dropped) };
}

/** As much of it as `mostChars`. */
export function toBlock(exhibit: Exhibit, mostChars: number, words: ReadonlySet<string>): Block {
  const { content } = exhibit;
  switch (content.kind) {
    case "image":
      return { exhibit, excerpt: null };
    case "unreadable":
      return { exhibit, excerpt: null };
    case "text":
      return { exhibit, excerpt: withUnread(excerpt(content.text, mostChars, words), content.unread) };
  }
}

function withUnread(shown: Excerpt, unread: number): Excerpt {
  return unread === 0 ? shown : { ...shown, whole: false, chars: shown.chars + unread };
}

/** What is said of exhibits that are not shown. */
export function gapOf(dropped: readonly Exhibit[]): readonly EvidenceGap[] {
  const [first] = dropped;
  const last = dropped.at(-1);
  if (first === undefined || last === undefined) return [];
  const span = first === last ? first.label : `${first.label} to ${last.label}`;
  const counts = new Map<string, number>();
  for (const { title } of dropped) {
    const kind = first.source.kind === "file" ? "files" : title;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].slice(0, 12).map(([kind, count]) => `${kind} x${count}`);
  return [{ room: first.room, text: `${span}: ${kinds.join(", ").replaceAll(/\s+/g, " ").slice(0, 600)}` }];
}

export function lengthOf({ content }: Exhibit): number {
  return HEADING_CHARS + (content.kind === "text" ? content.text.length : 0);
}
