import {
  type InstalledSkill,
  type SkillInList,
  listedWith,
  type ListingClient,
  notOffered,
} from "./client.ts";

/** Claude Code gives its list 1 % of the context window, in characters. */
export const claudeCodeListing: ListingClient = {
  name: "claude-code",
  versions: "2.1.325",
  rule: "1 % of the context window: 8,000 characters for 200,000 tokens, 30,000 for a million. A description with its when_to_use is cut at 1,536 characters. If the list is too long, descriptions are kept whole as long as they fit, those of the most used skills first, and all others are left out; every name stays.",
  list(skills, { contextTokens, reserved }) {
    const limit = limitOf(contextTokens ?? USUAL_WINDOW);
    const offered = skills
      .filter(({ skill }) => skill.frontmatter["disable-model-invocation"] !== true)
      .toSorted((a, b) => (a.skill.name < b.skill.name ? -1 : 1));
    const whole = offered.map((one) => lineLength(one, cut(descriptionOf(one))));
    const breaks = Math.max(0, offered.length - 1);
    const needed = whole.reduce((sum, own) => sum + own, breaks + reserved);
    const room = limit - breaks - reserved;
    const kept = needed <= limit ? new Set(offered) : fitting(offered, { room, whole });
    const over = `the list may take ${limit} characters, and all of it whole would take ${needed}`;
    const listed = skills.map((one): SkillInList => {
      const { name } = one.skill;
      const description = descriptionOf(one);
      if (!offered.includes(one))
        return notOffered(name, description, "its frontmatter sets disable-model-invocation");
      if (!kept.has(one)) return listedWith(name, description, "", over);
      return listedWith(name, description, cut(description), `a description may have ${MOST} characters`);
    });
    return { budget: { limit, unit: "characters", needed }, listed };
  },
};

const USUAL_WINDOW = 200_000;
const MOST = 1536;

/** Models with a large window are counted at three characters a token. */
function limitOf(contextTokens: number): number {
  return Math.max(1, Math.floor((contextTokens * (contextTokens > USUAL_WINDOW ? 3 : 4)) / 100));
}

/** Nothing was used yet, so they come in the order of their names; one that does not fit leaves its room to later ones. */
function fitting(
  offered: readonly InstalledSkill[],
  { room, whole }: { room: number; whole: readonly number[] },
): ReadonlySet<InstalledSkill> {
  const bare = offered.map((one) => lineLength(one, null));
  let left = bare.reduce((rest, own) => rest - own, room);
  const kept = new Set<InstalledSkill>();
  for (const [at, one] of offered.entries()) {
    const more = (whole[at] ?? 0) - (bare[at] ?? 0);
    if (more > left) continue;
    left -= more;
    kept.add(one);
  }
  return kept;
}

function lineLength({ skill }: InstalledSkill, description: string | null): number {
  return description === null ? skill.name.length + 2 : skill.name.length + 4 + description.length;
}

function cut(description: string): string {
  return description.length > MOST ? `${description.slice(0, MOST - 1)}…` : description;
}

function descriptionOf({ skill }: InstalledSkill): string {
  const when = skill.frontmatter["when_to_use"];
  const own = skill.description ?? "";
  return typeof when === "string" && when !== "" ? `${own} - ${when}` : own;
}
