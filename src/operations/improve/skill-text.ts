import type { Skill } from "../../domain/skill.ts";
import { UserError } from "../../domain/user-error.ts";
import { descriptionProblem } from "../../improve/description/rules.ts";
import { entryOf } from "../../lib/document/node.ts";
import { writeYaml } from "../../lib/document/write-yaml.ts";
import { parseSkill } from "../../load/skill.ts";

/** What speaks against this text in place of the skill's, in words for a model; null: nothing. */
export function skillTextProblem(skill: Skill, text: string): string | null {
  const { skill: changed, frontmatter } = parseSkill(skill.file, text);
  if (frontmatter.kind === "broken") return "it breaks the frontmatter, which must stay valid YAML";
  if (changed.name !== skill.name) return `it changes the name of the skill, which is ${skill.name}`;
  if (skill.description === null) return null;
  return changed.description === null
    ? "it removes the description from the frontmatter"
    : descriptionProblem(changed.description);
}

/** The text of the skill with another description and nothing else changed. */
export function withDescription({ file }: Pick<Skill, "file">, text: string, description: string): string {
  const { frontmatter, skill: now } = parseSkill(file, text);
  if (now.description === description) return text;
  const root = frontmatter.kind === "read" ? frontmatter.root : null;
  const entry = root === null ? undefined : entryOf(root, "description");
  const line = writeYaml({ description }).replaceAll("\n", text.includes("\r\n") ? "\r\n" : "\n");
  const changed =
    entry === undefined
      ? text.replace(/^---[ \t]*\r?\n/, (opening) => `${opening}${line}`)
      : `${text.slice(0, entry.keySpan.start)}${line}${text.slice(endOfLine(text, entry.value.end))}`;
  const { skill, frontmatter: after } = parseSkill(file, changed);
  const { description: _old, ...others } = now.frontmatter;
  const { description: _new, ...kept } = skill.frontmatter;
  const same = skill.body === now.body && JSON.stringify(others) === JSON.stringify(kept);
  if (root !== null && after.kind === "read" && skill.description === description && same) return changed;
  throw new UserError("improve/frontmatter", `the description in ${file} cannot be replaced safely`, {
    hint: "write name: and description: on their own lines in the frontmatter",
  });
}

/** After the line break that ends the line of `offset`; a value may already hold it. */
function endOfLine(text: string, offset: number): number {
  if (text[offset - 1] === "\n") return offset;
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at + 1;
}
