import { type DocNode, entryOf } from "../../lib/document/node.ts";
import type { SkillDocument } from "../skill.ts";
import type { ScanHit } from "./hit.ts";

/** What only the skill file itself can ask for. */
export function instructionHits({ frontmatter, skill, bodyStart }: SkillDocument): ScanHit[] {
  const declared =
    frontmatter.kind === "read" ? [...toolHits(frontmatter.root), ...hookHits(frontmatter.root)] : [];
  return [...declared, ...onLoadHits(skill.body, bodyStart)];
}

function toolHits(root: DocNode): ScanHit[] {
  const entry = entryOf(root, "allowed-tools");
  if (entry === undefined) return [];
  const broad = stringsOf(entry.value).flatMap(toolsOf).filter(isBroad);
  if (broad.length === 0) return [];
  const tools = [...new Set(broad)].slice(0, 3).join(", ");
  const message = `allowed-tools lets the agent run any command without asking: ${tools}`;
  return [{ code: "security/broad-tools", offset: entry.keySpan.start, message }];
}

function stringsOf(node: DocNode): readonly string[] {
  if (node.kind === "string") return [node.value];
  return node.kind === "array" ? node.elements.flatMap(stringsOf) : [];
}

/** `Bash(git log:*) Read, Write`: separated by spaces or commas outside parentheses. */
function toolsOf(list: string): readonly string[] {
  return list.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];
}

/** Every command, or one that runs whatever it is given. */
function isBroad(tool: string): boolean {
  return /^(?:\*|(?:Bash|Shell|PowerShell)(?:\(\s*(?:\*|\*:\*|(?:sudo|eval|exec|(?:ba|z)?sh|python[\d.]*|node|perl|ruby)(?:\s+-\w)?:?\s?\*)\s*\))?)$/i.test(
    tool,
  );
}

function hookHits(root: DocNode): ScanHit[] {
  const entry = entryOf(root, "hooks");
  if (entry === undefined || entry.value.kind === "null") return [];
  const message = "hooks run commands without the agent asking";
  return [{ code: "security/hooks", offset: entry.keySpan.start, message }];
}

/** Claude Code replaces !`command` by what the command prints. */
function onLoadHits(body: string, bodyStart: number): ScanHit[] {
  return [...body.matchAll(/(?<=^|[\s:(])!`([^`\n]+)`/gm)].map(({ 1: command = "", index }) => ({
    code: "security/command-on-load",
    offset: bodyStart + index,
    message: `Claude Code runs ${JSON.stringify(command.slice(0, 80))} when it loads the skill`,
  }));
}
