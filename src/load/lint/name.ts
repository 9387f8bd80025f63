import { basename } from "node:path";
import { describe, type DocNode, entryOf } from "../../lib/document/node.ts";
import type { SkillDocument } from "../skill.ts";
import type { LintFinding } from "./finding.ts";

const MAX_NAME_LENGTH = 64;

/** What is wrong with the frontmatter's `name`. A command takes its name from its file, so it may leave it out. */
export function nameFindings({ skill }: SkillDocument, root: DocNode): LintFinding[] {
  const entry = entryOf(root, "name");
  if (entry === undefined) {
    if (skill.layout === "command") return [];
    const hint = `add name: ${skill.name}`;
    return [{ rule: "skill/name-missing", offset: root.start, message: "the frontmatter has no name", hint }];
  }
  const { value } = entry;
  const offset = value.start;
  if (value.kind !== "string") {
    const message = `name must be a string, not ${describe(value)}`;
    return [{ rule: "skill/name-not-string", offset, message, hint: "put it in quotes" }];
  }
  const name = value.value.normalize("NFKC");
  if (name.trim() === "") return [{ rule: "skill/name-empty", offset, message: "name is empty" }];
  const findings = spellingFindings(name, offset);
  const directory = basename(skill.root).normalize("NFKC");
  if (skill.layout === "directory" && directory !== "" && name !== directory) {
    findings.push({
      rule: "skill/name-directory-mismatch",
      offset,
      message: `name is ${JSON.stringify(name)} but the directory is called ${JSON.stringify(directory)}`,
      hint: "give both the same name",
    });
  }
  return findings;
}

function spellingFindings(name: string, offset: number): LintFinding[] {
  const findings: LintFinding[] = [];
  const found = (rule: LintFinding["rule"], message: string, hint?: string) =>
    void findings.push({ rule, offset, message, ...(hint === undefined ? {} : { hint }) });
  const { length } = Array.from(name);
  if (length > MAX_NAME_LENGTH) {
    found("skill/name-too-long", `name has ${length} characters; at most ${MAX_NAME_LENGTH} are allowed`);
  }
  if (name.startsWith("-")) found("skill/name-leading-hyphen", "name starts with a hyphen");
  if (name.endsWith("-")) found("skill/name-trailing-hyphen", "name ends with a hyphen");
  if (name.includes("--")) found("skill/name-consecutive-hyphens", "name has two hyphens in a row");
  const wrong = [...new Set(name.match(/[^\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}-]/gu) ?? [])];
  if (wrong.length > 0) {
    const listed = wrong.map((char) => JSON.stringify(char)).join(", ");
    found("skill/name-invalid-chars", `name contains ${listed}`, `write ${JSON.stringify(kebabCase(name))}`);
  } else if (/[^a-z0-9-]/.test(name)) {
    found("skill/name-not-ascii", "name has letters outside a-z, which some validators reject");
  }
  const reserved = /claude|anthropic/i.exec(name);
  if (reserved !== null) {
    found("skill/name-reserved", `name contains the reserved word ${JSON.stringify(reserved[0])}`);
  }
  return findings;
}

function kebabCase(name: string): string {
  const words = name.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1-$2").toLowerCase();
  return words.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "") || "my-skill";
}
