import { createHash } from "node:crypto";
import type { JsonObject } from "../../domain/json.ts";
import { listAt, numberOrNull, objectAt, parseLine, textAt, textOrNull } from "../../lib/loose.ts";
import type { KeptReply } from "../../wires/cassette.ts";
import type { WireName } from "../../wires/index.ts";
import type { Cassette, CassetteHeader, Exchange } from "./cassette.ts";
import type { Piece } from "./piece.ts";
import { foldTexts, unfoldTexts } from "./fold.ts";

const FORMAT = 1;

/**
 * One JSON value on each line: the header; then each exchange, after the pieces of its request that no earlier one had.
 * A request names only the pieces in which it differs from the one before it in its thread.
 */
export function writeCassette({ header, recordedAt, exchanges }: Cassette): string {
  const lines: JsonObject[] = [{ cassette: FORMAT, recordedAt, ...header }];
  const written = new Set<string>();
  const last = new Map<number, ReadonlyMap<string, string>>();
  for (const { pieces, reply, ...exchange } of exchanges) {
    const ids = new Map(pieces.map((piece) => [piece.label, idOf(piece)]));
    for (const piece of pieces) {
      const id = idOf(piece);
      if (!written.has(id)) lines.push({ piece: id, ...piece });
      written.add(id);
    }
    const before = last.get(exchange.thread) ?? new Map<string, string>();
    const added = [...ids].filter(([label, id]) => before.get(label) !== id).map(([, id]) => id);
    const gone = [...before.keys()].filter((label) => !ids.has(label));
    lines.push({ ...exchange, pieces: added, ...(gone.length > 0 && { gone }), ...foldTexts(reply) });
    last.set(exchange.thread, ids);
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Null when the text is no cassette, or one of a later format. */
export function readCassette(text: string): Cassette | null {
  const [first = "", ...lines] = text.split("\n").filter((line) => line !== "");
  const header = parseLine(first);
  if (header === null || header["cassette"] !== FORMAT) return null;
  const pieces = new Map<string, Piece>();
  const last = new Map<number, ReadonlyMap<string, Piece>>();
  const exchanges: Exchange[] = [];
  for (const line of lines) {
    const fields = parseLine(line);
    if (fields === null) return null;
    const id = textAt(fields, "piece");
    if (id !== "") {
      pieces.set(id, toPiece(fields));
      continue;
    }
    const thread = numberOrNull(fields, "thread") ?? 0;
    const now = new Map(last.get(thread));
    for (const label of listAt(fields, "gone")) now.delete(textAt(label));
    for (const known of listAt(fields, "pieces")) {
      const piece = pieces.get(textAt(known));
      if (piece === undefined) return null;
      now.set(piece.label, piece);
    }
    last.set(thread, now);
    exchanges.push({
      thread,
      turns: numberOrNull(fields, "turns") ?? 0,
      wire: textAt(fields, "wire") as WireName,
      pieces: [...now.values()],
      reply: unfoldTexts(fields as JsonObject) as unknown as KeptReply,
    });
  }
  return { header: toHeader(header), recordedAt: textAt(header, "recordedAt"), exchanges };
}

function idOf(piece: Piece): string {
  return createHash("sha256").update(JSON.stringify(piece)).digest("hex").slice(0, 12);
}

function toPiece(fields: Readonly<Record<string, unknown>>): Piece {
  const [label, text] = [textAt(fields, "label"), textAt(fields, "text")];
  const kind = textAt(fields, "kind");
  if (kind !== "result") return { kind: kind === "soft" ? "soft" : "hard", label, text };
  return { kind, label, text, failed: fields["failed"] === true, strict: fields["strict"] === true };
}

function toHeader(fields: Readonly<Record<string, unknown>>): CassetteHeader {
  const client = objectAt(fields, "client");
  const inputs = Object.entries(objectAt(fields, "inputs")).map(([name, digest]) => [name, textAt(digest)]);
  return {
    suite: textAt(fields, "suite"),
    caseId: textAt(fields, "caseId"),
    variant: textAt(fields, "variant"),
    harness: textAt(fields, "harness"),
    model: textOrNull(fields, "model"),
    repetition: numberOrNull(fields, "repetition") ?? 1,
    client: { name: textAt(client, "name"), version: textOrNull(client, "version") },
    inputs: Object.fromEntries(inputs) as Record<string, string>,
  };
}
