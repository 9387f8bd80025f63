import { alignedNames, renamed } from "./align.ts";
import { firstDifference } from "./difference.ts";
import type { Piece } from "./piece.ts";
import { scrubbed } from "../../lib/scrub.ts";

/** How well a request fits a recorded one. */
export interface Fit {
  readonly match: "exact" | "alias" | "drift" | "miss";
  /** The first thing that differs and matters; null for `exact` and `alias`. */
  readonly difference: string | null;
  /** Results that drifted, by label. */
  readonly drifted: readonly string[];
  /** Recorded names of chance with those they have now, what was known before included. */
  readonly names: ReadonlyMap<string, string>;
}

/** Compares what a request says with what a recorded one said; `known` are names learned from earlier requests. */
export function compare(
  recorded: readonly Piece[],
  now: readonly Piece[],
  known: ReadonlyMap<string, string>,
): Fit {
  const names = new Map(known);
  const missing = presence(recorded, now);
  if (missing !== null) return { match: "miss", difference: missing, drifted: [], names };
  const after = new Map(now.map((piece) => [piece.label, piece]));
  let match: Fit["match"] = "exact";
  let drift: string | null = null;
  const drifted: string[] = [];
  for (const piece of recorded) {
    const other = after.get(piece.label);
    if (piece.kind === "soft" || other === undefined) continue;
    const fit =
      piece.kind === "result" && other.kind === "result"
        ? compareResults(piece, other, names)
        : compareTexts(piece, other, names);
    if (fit.match === "miss") return { match: "miss", difference: fit.difference, drifted, names };
    if (fit.match === "drift") {
      drift ??= fit.difference;
      drifted.push(piece.label);
    }
    match = worse(match, fit.match);
  }
  return { match, difference: drift, drifted, names };
}

const ORDER: readonly Fit["match"][] = ["exact", "alias", "drift", "miss"];

export function worse(one: Fit["match"], other: Fit["match"]): Fit["match"] {
  return ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other;
}

/** The client's own affairs that differ, by label. */
export function softDifferences(recorded: readonly Piece[], now: readonly Piece[]): readonly string[] {
  const after = new Map(now.map((piece) => [piece.label, piece.text]));
  return recorded
    .filter((piece) => piece.kind === "soft" && after.get(piece.label) !== piece.text)
    .map(({ label }) => label);
}

function presence(recorded: readonly Piece[], now: readonly Piece[]): string | null {
  const gone = recorded.find(({ kind, label }) => kind !== "soft" && !has(now, label));
  if (gone !== undefined) return `${gone.label} was there when recorded, and is missing now`;
  const added = now.find(({ kind, label }) => kind !== "soft" && !has(recorded, label));
  return added === undefined ? null : `${added.label} is new: ${JSON.stringify(added.text.slice(0, 80))}`;
}

function has(pieces: readonly Piece[], label: string): boolean {
  return pieces.some((piece) => piece.label === label);
}

interface PartFit {
  readonly match: Fit["match"];
  readonly difference: string | null;
}

function compareTexts(recorded: Piece, now: Piece, names: ReadonlyMap<string, string>): PartFit {
  if (recorded.text === now.text) return { match: "exact", difference: null };
  if (renamed(recorded.text, names) === now.text) return { match: "alias", difference: null };
  return { match: "miss", difference: changed(recorded, now) };
}

type Result = Extract<Piece, { kind: "result" }>;

/** Learns names on the way. */
function compareResults(recorded: Result, now: Result, names: Map<string, string>): PartFit {
  if (recorded.failed !== now.failed) {
    const [then, today] = recorded.failed ? ["failed", "succeeds"] : ["succeeded", "fails"];
    const said = JSON.stringify(now.text.slice(0, 120));
    return {
      match: "miss",
      difference: `${recorded.label} ${then} when recorded, and ${today} now: ${said}`,
    };
  }
  if (recorded.text === now.text) return { match: "exact", difference: null };
  const [before, after] = [scrubbed(renamed(recorded.text, names)), scrubbed(now.text)];
  if (before === after) return { match: "alias", difference: null };
  const learned = recorded.strict ? null : alignedNames(before, after);
  if (learned !== null) {
    for (const [name, other] of learned) names.set(name, other);
    return { match: "alias", difference: null };
  }
  return { match: recorded.strict ? "miss" : "drift", difference: changed(recorded, now) };
}

function changed(recorded: Piece, now: Piece): string {
  return `${recorded.label} changed (${firstDifference(recorded.text, now.text)})`;
}
