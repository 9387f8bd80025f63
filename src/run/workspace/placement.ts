import path from "node:path";

import type { Skill } from "../../domain/skill.ts";

/** Where and under which name a trial installs the skill under test. */
export interface SkillPlacement {
  readonly skill: Skill;
  /** The name the client is to know it by; differs from the skill's own in trigger probes. */
  readonly name: string;
  /** The harness's, relative to the workspace. */
  readonly skillsFolder: string;
  /** `stub` stages the frontmatter alone, with one sentence for a body; absent: the skill as it is. */
  readonly body?: "intact" | "stub";
}

/** The skill's directory, or its command file, relative to the workspace. */
export function skillPath(placement: SkillPlacement): string {
  const { skill, skillsFolder } = placement;
  const name = safeName(placement.name);
  if (skill.layout === "command" && skillsFolder === ".claude/skills") return `.claude/commands/${name}.md`;
  return path.posix.join(skillsFolder, name);
}

/** The SKILL.md or command text under the placement's name; the skill's own text where the name is its own. */
export function skillText(written: string, placement: SkillPlacement): string {
  const { skill, name } = placement;
  const text = placement.body === "stub" ? stubText(written, skill) : written;
  if (skill.layout === "command") {
    return skillPath(placement).endsWith(".md") ? text : withHead(text, name, skill.description ?? name);
  }
  return name === skill.name ? text : withHead(text, name, null);
}

/** The frontmatter as it is written, and as much of a body as a client asks for. */
function stubText(text: string, { name, description }: Skill): string {
  const head = HEAD.exec(text)?.[0] ?? "";
  return `${head}\nThis skill handles: ${description ?? name}\n`;
}

const HEAD = /^\uFEFF?---[ \t]*\r?\n(.*?\r?\n)??---[ \t]*(?:\r?\n|$)/su;

/** The text with `name`, and `description` unless it has one, in its frontmatter; the rest stays as it is. */
function withHead(text: string, name: string, description: string | null): string {
  const head = HEAD.exec(text);
  const body = head === null ? text : text.slice(head[0].length);
  const lines = (head?.[1] ?? "").replace(/^name:.*(?:\r?\n[ \t]+.*)*\r?\n/mu, "");
  const described =
    description !== null && !/^description:/mu.test(lines)
      ? `description: ${JSON.stringify(description)}\n`
      : "";
  return `---\nname: ${JSON.stringify(name)}\n${described}${lines}---\n${body}`;
}

function safeName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+/u, "");
  return safe === "" ? "skill" : safe;
}
