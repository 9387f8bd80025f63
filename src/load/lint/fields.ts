import { describe, type DocEntry, type DocNode, entryOf } from "../../lib/document/node.ts";
import { nearest } from "../../lib/nearest.ts";
import type { SkillDocument } from "../skill.ts";
import type { LintFinding } from "./finding.ts";
import type { RuleCode } from "./rules.ts";

const SPEC_KEYS = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/** Keys Claude Code reads and the specification does not have. */
const CLAUDE_CODE_KEYS = [
  "agent",
  "argument-hint",
  "arguments",
  "background",
  "context",
  "disable-model-invocation",
  "disallowed-tools",
  "effort",
  "hooks",
  "model",
  "paths",
  "shell",
  "user-invocable",
  "when_to_use",
];

const MAX_DESCRIPTION_LENGTH = 1024;
const MAX_COMPATIBILITY_LENGTH = 500;

/** What is wrong with the frontmatter's keys and values, `name` apart. */
export function fieldFindings(document: SkillDocument, root: DocNode & { kind: "object" }): LintFinding[] {
  return [
    ...root.entries.flatMap(keyFindings),
    ...root.entries.flatMap((entry) => bracketFindings(entry.value, entry.key)),
    ...descriptionFindings(document, root),
    ...textFindings(root, "license", null),
    ...textFindings(root, "compatibility", MAX_COMPATIBILITY_LENGTH),
    ...metadataFindings(document, root),
    ...allowedToolsFindings(root),
    ...recommendedFindings(document, root),
  ];
}

function keyFindings({ key, keySpan }: DocEntry): LintFinding[] {
  const offset = keySpan.start;
  if (SPEC_KEYS.includes(key)) return [];
  if (key === "system_prompt" || key === "system-prompt") {
    const message = `${key} is not supported in frontmatter; the skill's body is what agents are given`;
    return [{ rule: "skill/system-prompt", offset, message, hint: "set system_prompt in the eval file" }];
  }
  if (CLAUDE_CODE_KEYS.includes(key)) {
    const message = `${JSON.stringify(key)} is a key of Claude Code, not of the specification`;
    const hint = "use --profile claude-code if the skill is for Claude Code only";
    return [{ rule: "skill/claude-code-key", offset, message, hint }];
  }
  const near = nearest(key, [...SPEC_KEYS, ...CLAUDE_CODE_KEYS]);
  return [
    {
      rule: "skill/unknown-key",
      offset,
      message: `the frontmatter has the unknown key ${JSON.stringify(key)}`,
      hint: near === null ? "put your own keys under metadata" : `did you mean ${JSON.stringify(near)}?`,
    },
  ];
}

/** At the first string below `node` that has one; keys are reported once each. */
function bracketFindings(node: DocNode, key: string): LintFinding[] {
  const offset = firstWithBracket(node);
  if (offset === null) return [];
  return [{ rule: "skill/angle-brackets", offset, message: `${key} contains < or >` }];
}

function firstWithBracket(node: DocNode): number | null {
  if (node.kind === "string") return /[<>]/.test(node.value) ? node.start : null;
  const children =
    node.kind === "array"
      ? node.elements
      : node.kind === "object"
        ? node.entries.map((entry) => entry.value)
        : [];
  for (const child of children) {
    const offset = firstWithBracket(child);
    if (offset !== null) return offset;
  }
  return null;
}

function descriptionFindings({ skill }: SkillDocument, root: DocNode): LintFinding[] {
  const value = entryOf(root, "description")?.value;
  if (value === undefined) {
    if (skill.layout === "command") return [];
    const message = "the frontmatter has no description";
    const hint = "say what the skill does and when to use it";
    return [{ rule: "skill/description-missing", offset: root.start, message, hint }];
  }
  return textFindings(root, "description", MAX_DESCRIPTION_LENGTH);
}

/** The three rules that every text field has: a string, not empty, not too long. */
function textFindings(
  root: DocNode,
  key: "description" | "license" | "compatibility",
  maxLength: number | null,
): LintFinding[] {
  const value = entryOf(root, key)?.value;
  if (value === undefined) return [];
  const offset = value.start;
  if (value.kind !== "string") {
    return [
      { rule: `skill/${key}-not-string`, offset, message: `${key} must be a string, not ${describe(value)}` },
    ];
  }
  if (value.value.trim() === "") return [{ rule: `skill/${key}-empty`, offset, message: `${key} is empty` }];
  const { length } = Array.from(value.value.trim());
  if (maxLength === null || length <= maxLength) return [];
  const rule: RuleCode =
    key === "description" ? "skill/description-too-long" : "skill/compatibility-too-long";
  return [{ rule, offset, message: `${key} has ${length} characters; at most ${maxLength} are allowed` }];
}

function metadataFindings({ text }: SkillDocument, root: DocNode): LintFinding[] {
  const value = entryOf(root, "metadata")?.value;
  if (value === undefined) return [];
  if (value.kind !== "object") {
    const message = `metadata must be keys with values, not ${describe(value)}`;
    return [{ rule: "skill/metadata-not-map", offset: value.start, message }];
  }
  const keys = value.entries.flatMap((entry) =>
    metadataKeyFindings(entry, text.slice(entry.keySpan.start, entry.keySpan.end)),
  );
  return keys.concat(value.entries.flatMap(metadataValueFindings));
}

function metadataKeyFindings(entry: DocEntry, written: string): LintFinding[] {
  if (!/^(?:true|false|null|~|[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?)$/i.test(written.trim())) return [];
  const message = `the metadata key ${written.trim()} is not a string`;
  return [{ rule: "skill/metadata-key-not-string", offset: entry.keySpan.start, message, hint: "quote it" }];
}

function metadataValueFindings({ key, value }: DocEntry): LintFinding[] {
  if (value.kind === "string") return [];
  const message = `metadata.${key} must be a string, not ${describe(value)}`;
  const scalar = value.kind !== "object" && value.kind !== "array";
  return [
    {
      rule: "skill/metadata-value-not-string",
      offset: value.start,
      message,
      ...(scalar ? { hint: "put it in quotes" } : {}),
    },
  ];
}

function allowedToolsFindings(root: DocNode): LintFinding[] {
  const entry = entryOf(root, "allowed-tools");
  if (entry === undefined) return [];
  const findings: LintFinding[] = [
    {
      rule: "skill/allowed-tools-experimental",
      offset: entry.keySpan.start,
      message: "allowed-tools is experimental; not every client honors it",
    },
  ];
  if (entry.value.kind !== "string") {
    findings.push({
      rule: "skill/allowed-tools-not-string",
      offset: entry.value.start,
      message: `allowed-tools must be a string, not ${describe(entry.value)}`,
      hint: "write the tools on one line, separated by spaces",
    });
  }
  return findings;
}

function recommendedFindings({ skill }: SkillDocument, root: DocNode): LintFinding[] {
  if (skill.layout === "command") return [];
  return (["license", "compatibility", "metadata"] as const)
    .filter((key) => entryOf(root, key) === undefined)
    .map((key) => ({
      rule: `skill/${key}-missing`,
      offset: root.start,
      message: `the frontmatter has no ${key}`,
    }));
}
