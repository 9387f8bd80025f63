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

/** What is in a skill's folder and not part of what it teaches. */
export function isBesideSkill(path: string): boolean {
  return /(?:^|\/)(?:evals?|tests?|fixtures?|test-?data|\.[^/]+|[^/]+-workspace)\/|\.eval\.json$|(?:^|\/)(?:node_modules|__pycache__)\//i.test(
    path,
  );
}

/** What the skill teaches: where its files are and which of them count, of a command only its own; Markdown is compared as text. */
export function skillContent({ layout, root, file }: Skill): {
  readonly root: string;
  readonly leaveOut: (path: string) => boolean;
  readonly isText: (path: string) => boolean;
} {
  const only = layout === "command" ? file.split(/[/\\]/).at(-1) : undefined;
  return {
    root,
    leaveOut: (path) => isBesideSkill(path) || (only !== undefined && path !== only),
    isText: (path) => /\.md$/i.test(path),
  };
}

/** What people name a skill by: its directory, or a command's file. */
export function skillPath({ layout, root, file }: Skill): string {
  return layout === "command" ? file : root;
}

/** Where Codex looks for what a skill says to it alone, relative to the skill. */
export const OPENAI_YAML = "agents/openai.yaml";
