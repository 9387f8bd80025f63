import {
  type InstalledSkill,
  type SkillInList,
  listedWith,
  type ListingClient,
  notOffered,
} from "./client.ts";

/** Codex gives its list 2 % of the context window, in tokens. */
export const codexListing: ListingClient = {
  name: "codex",
  versions: "0.166",
  rule: "2 % of the context window, in tokens of four bytes (5,440 for 272,000 tokens). Descriptions share what the names and paths leave, a character each in turn; if not even those fit, no description is listed and the last skills by name are omitted.",
  list(skills, { contextTokens, reserved }) {
    const limit = Math.max(
      1,
      Math.floor(((contextTokens ?? USUAL_WINDOW) * 2) / 100) - Math.ceil(reserved / 4),
    );
    const offered = skills.filter((one) => one.implicit).toSorted(byName);
    const needed = sum(offered.map((one) => costOf(lineOf(one, descriptionOf(one)))));
    const shown = fit(offered, { limit, needed });
    const cut = `the list may take ${limit} tokens, and all of it whole would take ${needed}`;
    const listed = skills.map((one): SkillInList => {
      const at = offered.indexOf(one);
      const description = descriptionOf(one);
      if (at < 0)
        return notOffered(
          one.skill.name,
          description,
          "agents/openai.yaml sets policy.allow_implicit_invocation to false",
        );
      return listedWith(one.skill.name, description, shown[at] ?? null, cut);
    });
    return { budget: { limit, unit: "tokens", needed }, listed };
  },
};

const USUAL_WINDOW = 272_000;

/** With the line break. */
function costOf(line: string): number {
  return tokensOf(Buffer.byteLength(line));
}

function tokensOf(bytes: number): number {
  return Math.ceil((bytes + 1) / 4);
}

/** What is left of each description; null: the skill is not listed. */
function fit(
  offered: readonly InstalledSkill[],
  { limit, needed }: { limit: number; needed: number },
): readonly (string | null)[] {
  if (needed <= limit) return offered.map(descriptionOf);
  const bare = offered.map((one) => costOf(lineOf(one, "")));
  if (sum(bare) <= limit) return shared(offered, { left: limit - sum(bare), bare });
  let used = 0;
  return bare.map((own) => {
    if (used + own > limit) return null;
    used += own;
    return "";
  });
}

/** One character at a time in turn, so that short descriptions leave their share to long ones. */
function shared(
  offered: readonly InstalledSkill[],
  { left, bare }: { left: number; bare: readonly number[] },
): readonly string[] {
  const lines = offered.map((one, at) => ({
    characters: Array.from(descriptionOf(one)),
    given: 0,
    // With the blank before a description.
    bytes: Buffer.byteLength(lineOf(one, "")) + 1,
    cost: bare[at] ?? 0,
  }));
  let remaining = left;
  let hungry = lines;
  while (hungry.length > 0) {
    hungry = hungry.filter((line) => {
      const next = line.characters[line.given];
      if (next === undefined) return false;
      const bytes = line.bytes + Buffer.byteLength(next);
      const cost = tokensOf(bytes);
      if (cost - line.cost > remaining) return false;
      remaining -= cost - line.cost;
      Object.assign(line, { given: line.given + 1, bytes, cost });
      return true;
    });
  }
  return lines.map(({ characters, given }) => characters.slice(0, given).join(""));
}

function lineOf({ skill, path }: InstalledSkill, description: string): string {
  return description === ""
    ? `- ${skill.name}: (file: ${path})`
    : `- ${skill.name}: ${description} (file: ${path})`;
}

/** On one line, as Codex reads it. */
function descriptionOf({ skill }: InstalledSkill): string {
  return (skill.description ?? "").split(/\s+/).filter(Boolean).join(" ");
}

function byName(a: InstalledSkill, b: InstalledSkill): number {
  if (a.skill.name !== b.skill.name) return a.skill.name < b.skill.name ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
