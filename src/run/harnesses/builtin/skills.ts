import { valueOf, type DocNode } from "../../../lib/document/node.ts";
import { parseYaml } from "../../../lib/document/yaml.ts";
import type { HarnessContext } from "../../harness.ts";
import { runShell, type ShellRun } from "./shell.ts";

/** A skill the agent can take up. */
export interface OfferedSkill {
  readonly name: string;
  readonly description: string;
  /** Its SKILL.md or command file, relative to the workspace. */
  readonly file: string;
}

export interface SkillsFound {
  /** What the model may be told of: a skill that only its user may call is left out. */
  readonly listed: readonly OfferedSkill[];
  readonly shell: ShellRun;
}

/** Looks through the workspace as the agent sees it: a SKILL.md in each folder below `folder`, and the commands beside it. */
export async function findSkills(context: HarnessContext, folder: string): Promise<SkillsFound> {
  const commands = folder.replace(/[^/]*$/, "commands");
  const shell = await runShell(context, { script: LIST, args: [folder, commands] });
  const found = shell.text.split("\n").flatMap((line) => {
    const [file = "", encoded = ""] = line.split("\t");
    return file === "" ? [] : [toSkill(file, Buffer.from(encoded, "base64").toString("utf8"))];
  });
  return { listed: found.filter((skill) => skill !== null), shell };
}

/** One line for each file: its path and the beginning of its content, in an encoding no content can break out of. */
const LIST = `
for file in "$1"/*/SKILL.md "$2"/*.md; do
  [ -f "$file" ] || continue
  printf '%s\\t' "$file"
  head -c 20000 -- "$file" | base64 | tr -d '\\n'
  echo
done`;

/** Where the skill lies, then its text with the arguments in their places. */
export function skillText(body: string, directory: string, args: string): string {
  const filled = body.includes("$ARGUMENTS")
    ? body.replaceAll("$ARGUMENTS", () => args)
    : `${body.trimEnd()}${args === "" ? "" : `\n\nARGUMENTS: ${args}`}`;
  return `Base directory for this skill: ${directory}\n\n${filled.trim()}`;
}

/** The text after the frontmatter. */
export function bodyOf(content: string): string {
  return FRONTMATTER.exec(content) === null ? content : content.replace(FRONTMATTER, "");
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?\r?\n)??---[ \t]*(?:\r?\n|$)/;

/** A skill with broken frontmatter is offered by its folder's name, as real clients do; null when it is not for the model. */
function toSkill(file: string, content: string): OfferedSkill | null {
  const parsed = parseYaml(FRONTMATTER.exec(content)?.[1] ?? "");
  const fields = parsed.ok ? parsed.root : null;
  const hidden = fields === null ? undefined : valueOf(fields, "disable-model-invocation");
  if (hidden?.kind === "bool" && hidden.value) return null;
  const parts = file.split("/");
  const own = file.endsWith("/SKILL.md") ? parts.at(-2) : parts.at(-1)?.replace(/\.md$/, "");
  const firstLine = bodyOf(content).trim().split("\n")[0] ?? "";
  return {
    name: textOf(fields, "name") ?? own ?? file,
    description: textOf(fields, "description") ?? firstLine,
    file,
  };
}

function textOf(fields: DocNode | null, key: string): string | null {
  const value = fields === null ? undefined : valueOf(fields, key);
  return value?.kind === "string" && value.value.trim() !== "" ? value.value.trim() : null;
}
