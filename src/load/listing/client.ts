import type { Skill } from "../../domain/skill.ts";

/** A skill as clients find it. */
export interface InstalledSkill {
  readonly skill: Skill;
  /** Where the client would read its SKILL.md: some listings hold that path. */
  readonly path: string;
  /** `agents/openai.yaml` does not forbid it. */
  readonly implicit: boolean;
}

/** What the model is told of one skill before it has read anything. */
export interface ListedSkill {
  readonly name: string;
  /** `name only`: no word of its description. `not offered`: its author keeps it from models. `not known`: nobody says. */
  readonly status: "whole" | "shortened" | "name only" | "omitted" | "not offered" | "not known";
  /** Characters of the description that the model sees, and that there are. */
  readonly shown: number;
  readonly of: number;
  /** The description as the model sees it; null: it sees none, or nobody knows. */
  readonly description: string | null;
  /** Null for one that is listed whole. */
  readonly reason: string | null;
}

export interface ListingBudget {
  readonly limit: number;
  readonly unit: "characters" | "tokens";
  /** What listing every skill whole would take. */
  readonly needed: number;
}

export interface ListingRoom {
  /** Of the model's context window; null: the client's usual one. */
  readonly contextTokens: number | null;
  /** Characters that the client's own skills take of the list; it lists those whole. */
  readonly reserved: number;
}

/** How one client tells its model which skills there are. */
export interface ListingClient {
  readonly name: string;
  /** Versions that the rule was read from or held against. */
  readonly versions: string | null;
  /** In a sentence or two. */
  readonly rule: string;
  readonly list: (
    skills: readonly InstalledSkill[],
    room: ListingRoom,
  ) => { readonly budget: ListingBudget | null; readonly listed: readonly ListedSkill[] };
}

/** Of a skill with so many characters of its description left. */
export function listedWith(
  name: string,
  description: string,
  shown: string | null,
  cut: string,
): ListedSkill {
  const of = [...description].length;
  const left = shown === null ? 0 : [...shown].length;
  const status = shown === null ? "omitted" : left >= of ? "whole" : left === 0 ? "name only" : "shortened";
  return { name, status, shown: left, of, description: shown, reason: status === "whole" ? null : cut };
}

export function notOffered(name: string, description: string, reason: string): ListedSkill {
  return { name, status: "not offered", shown: 0, of: [...description].length, description: null, reason };
}
