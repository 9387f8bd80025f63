import type { KeptReply } from "../../wires/cassette.ts";
import type { WireName } from "../../wires/index.ts";
import type { Piece } from "./piece.ts";

/** The recorded model traffic of one trial. */
export interface Cassette {
  readonly header: CassetteHeader;
  /** ISO 8601. */
  readonly recordedAt: string;
  /** In the order in which they were asked. */
  readonly exchanges: readonly Exchange[];
}

/** Which trial it is, and everything that decided what it did. */
export interface CassetteHeader {
  readonly suite: string;
  readonly caseId: string;
  readonly variant: string;
  readonly harness: string;
  /** Null: the client's own default. */
  readonly model: string | null;
  readonly repetition: number;
  readonly client: { readonly name: string; readonly version: string | null };
  /** Digests by what they are of, in words for a person: `skill`, `prompt`, `files`, `project`, `options`. */
  readonly inputs: Readonly<Record<string, string>>;
}

export interface Exchange {
  /** Counts the conversations of the trial from 0: sub-agents have their own. */
  readonly thread: number;
  /** How often the model had spoken before. */
  readonly turns: number;
  readonly wire: WireName;
  readonly pieces: readonly Piece[];
  readonly reply: KeptReply;
}

/** What of the inputs is not as it was recorded, in words; null: everything is. A client's version alone changes nothing. */
export function changedInputs(recorded: CassetteHeader, now: CassetteHeader): string | null {
  const names = [...new Set([...Object.keys(recorded.inputs), ...Object.keys(now.inputs)])];
  const changed = names.filter((name) => recorded.inputs[name] !== now.inputs[name]);
  if (recorded.client.name !== now.client.name) changed.push("client");
  for (const name of ADDRESS) if (recorded[name] !== now[name]) changed.push(name);
  return changed.length === 0 ? null : `changed since it was recorded: ${changed.join(", ")}`;
}

/** Part of the file's name, where two may come to look alike. */
const ADDRESS = ["suite", "caseId", "variant", "harness", "model", "repetition"] as const;
