import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { SkillDocument } from "../skill.ts";
import type { LintFinding } from "./finding.ts";

const MAX_LINES = 500;
const MAX_WORDS = 5000;

/** What is wrong with the text after the frontmatter. */
export function bodyFindings({ skill, bodyStart }: SkillDocument): LintFinding[] {
  const { body } = skill;
  if (body.trim() === "") {
    return [
      { rule: "skill/body-empty", offset: bodyStart, message: "there is nothing after the frontmatter" },
    ];
  }
  const findings: LintFinding[] = [];
  const lines = body.trimEnd().split("\n").length;
  if (lines > MAX_LINES) {
    findings.push({
      rule: "skill/body-too-many-lines",
      offset: bodyStart,
      message: `the body has ${lines} lines; keep it to ${MAX_LINES}`,
      hint: "move details to files that the body links to",
    });
  }
  const words = body.match(/\S+/g)?.length ?? 0;
  if (words > MAX_WORDS) {
    const message = `the body has ${words} words; keep it to ${MAX_WORDS}`;
    findings.push({ rule: "skill/body-too-many-words", offset: bodyStart, message });
  }
  for (const { path, index } of references(body)) {
    findings.push(...referenceFindings({ path, root: skill.root, offset: bodyStart + index }));
  }
  return findings;
}

interface Reference {
  readonly path: string;
  readonly index: number;
}

/** Relative paths that Markdown links point at, outside code; each path once. */
function references(body: string): Reference[] {
  const prose = body
    .replaceAll(/^( {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\2[`~]*[ \t]*\r?$|(?![\s\S]))/gm, blank)
    .replaceAll(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, blank);
  const found = new Map<string, Reference>();
  for (const match of prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)\n]*\)/g)) {
    const path = localPath(match[1] ?? "");
    if (path !== null && !found.has(path)) found.set(path, { path, index: match.index });
  }
  return [...found.values()];
}

function blank(code: string): string {
  return code.replaceAll(/[^\n]/g, " ");
}

/** Null for addresses, anchors, absolute paths and templates. */
function localPath(link: string): string | null {
  const path = link.split(/[#?]/, 1)[0] ?? "";
  if (path === "" || /^[a-z][a-z0-9+.-]*:|^[/~\\]|[{}$*]/i.test(path)) return null;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function referenceFindings({
  path,
  root,
  offset,
}: {
  path: string;
  root: string;
  offset: number;
}): LintFinding[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const shown = JSON.stringify(path);
  if (parts.includes("..")) {
    return [
      { rule: "skill/reference-too-deep", offset, message: `the link ${shown} points outside the skill` },
    ];
  }
  const findings: LintFinding[] = [];
  if (parts.length > 2) {
    const message = `the link ${shown} is more than one directory deep`;
    findings.push({ rule: "skill/reference-too-deep", offset, message });
  }
  if (!existsSync(resolve(root, path))) {
    findings.push({
      rule: "skill/reference-missing",
      offset,
      message: `the link ${shown} points to no file`,
    });
  }
  return findings;
}
