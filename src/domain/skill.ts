import type { JsonObject } from "./json.ts";

/** A directory with SKILL.md, or one `.claude/commands/<name>.md` file, under test. */
export interface Skill {
  /** The frontmatter's name where it is usable, else the directory's or the file's. */
  readonly name: string;
  readonly layout: "directory" | "command";
  /** Absolute path of SKILL.md or of the command file. */
  readonly file: string;
  /** Absolute directory that is the skill; for a command, the directory the file lies in. */
  readonly root: string;
  readonly description: string | null;
  readonly frontmatter: JsonObject;
  /** The text after the frontmatter, verbatim. */
  readonly body: string;
}

/** Clients prefix names with the plugin they come from. */
export function isSameSkill(name: string, skill: string): boolean {
  return name === skill || name.endsWith(`:${skill}`);
}
