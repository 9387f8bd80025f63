import type { Exhibit } from "./block.ts";
import { lengthOf } from "./fit.ts";

/** Exhibits that are shown whole in one question, and what there was no room for in any. */
export interface Parts {
  readonly parts: readonly (readonly Exhibit[])[];
  readonly unread: readonly Exhibit[];
}

/** More questions about one run than this are not asked. */
const MOST_PARTS = 8;

/**
 * All exhibits in their order, in as many parts as it takes to show each whole; long ones in pieces. Where that would be
 * too many parts, those with the most words of the criteria are kept, and what the agent made before what it was given.
 */
export function inParts(
  exhibits: readonly Exhibit[],
  budgetChars: number,
  words: ReadonlySet<string>,
): Parts {
  const pieces = exhibits.flatMap((exhibit) => piecesOf(exhibit, budgetChars));
  const parts = fill(pieces, budgetChars);
  if (parts.length <= MOST_PARTS) return { parts, unread: [] };
  const ranked = pieces
    .map((piece) => ({ piece, rank: relevance(piece, words) }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ piece }) => piece);
  const wanted = new Set(fill(ranked, budgetChars).slice(0, MOST_PARTS).flat());
  // In their order they may need more parts than by rank.
  const kept = fill(
    pieces.filter((piece) => wanted.has(piece)),
    budgetChars,
  ).slice(0, MOST_PARTS + 1);
  const shown = new Set(kept.flat());
  return { parts: kept, unread: pieces.filter((piece) => !shown.has(piece)) };
}

function fill(pieces: readonly Exhibit[], budgetChars: number): readonly (readonly Exhibit[])[] {
  const parts: Exhibit[][] = [];
  let room = 0;
  for (const piece of pieces) {
    const length = lengthOf(piece);
    if (parts.length === 0 || length > room) {
      parts.push([]);
      room = budgetChars;
    }
    parts.at(-1)?.push(piece);
    room -= length;
  }
  return parts;
}

function piecesOf(exhibit: Exhibit, budgetChars: number): readonly Exhibit[] {
  const { content } = exhibit;
  if (content.kind !== "text" || lengthOf(exhibit) <= budgetChars) return [exhibit];
  const most = Math.max(1000, budgetChars - 200);
  const texts: string[] = [];
  for (let start = 0; start < content.text.length;) {
    const line = content.text.lastIndexOf("\n", start + most);
    const end = start + most >= content.text.length || line <= start ? start + most : line + 1;
    texts.push(content.text.slice(start, end));
    start = end;
  }
  return texts.map((text, index) => ({
    ...exhibit,
    title: `${exhibit.title} (piece ${index + 1} of ${texts.length})`,
    content: { kind: "text", text, unread: index === texts.length - 1 ? content.unread : 0 },
  }));
}

const ROOM_RANK = { made: 3, turns: 2, actions: 1, inputs: 0 } as const;

function relevance({ content, room }: Exhibit, words: ReadonlySet<string>): number {
  if (content.kind !== "text") return ROOM_RANK[room];
  const text = content.text.toLowerCase();
  const hits = [...words].filter((word) => text.includes(word)).length;
  return hits * 10 + ROOM_RANK[room];
}
