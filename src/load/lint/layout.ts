import { basename, join } from "node:path";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { entriesOf } from "../directory.ts";
import type { SkillDocument } from "../skill.ts";
import type { LintFinding } from "./finding.ts";

/** What is wrong with where the skill's files lie and how they are called. */
export function layoutFindings(
  { skill }: SkillDocument,
  report: (diagnostic: Diagnostic) => void,
): LintFinding[] {
  if (skill.layout === "command") {
    const message = "a command file is the older layout";
    const hint = `move it to .claude/skills/${skill.name}/SKILL.md`;
    return [{ rule: "skill/layout-command", offset: 0, message, hint }];
  }
  const findings: LintFinding[] = [];
  const fileName = basename(skill.file);
  if (fileName !== "SKILL.md") {
    const message = `the file is called ${fileName}`;
    findings.push({ rule: "skill/filename-case", offset: 0, message, hint: "rename it to SKILL.md" });
  }
  const directory = basename(skill.root);
  if (directory !== "" && !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(directory)) {
    const message = `the directory is called ${JSON.stringify(directory)}`;
    const hint = "use lower-case words joined by hyphens";
    findings.push({ rule: "skill/directory-not-kebab-case", offset: 0, message, hint });
  }
  findings.push(...contentFindings(skill.root, report));
  return findings;
}

/** Two levels are enough: secrets lie beside what uses them. */
const MAX_DEPTH = 2;
const SKIPPED = new Set([".git", "node_modules", ".assay"]);
const SECRET_NAME =
  /^(?:\.env(?:\.(?!example$|sample$|template$|dist$).*)?|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|keystore)|\.netrc|\.npmrc|\.pypirc|credentials(?:\.json)?)$/i;

function contentFindings(
  directory: string,
  report: (diagnostic: Diagnostic) => void,
  depth = 0,
): LintFinding[] {
  const findings: LintFinding[] = [];
  for (const entry of entriesOf(directory, report).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = join(directory, entry.name);
    if (entry.isDirectory()) {
      const inside = depth < MAX_DEPTH && !SKIPPED.has(entry.name);
      if (inside) findings.push(...contentFindings(file, report, depth + 1));
    } else if (SECRET_NAME.test(entry.name)) {
      const message = `${entry.name} may hold a secret, which everyone who gets the skill would get`;
      findings.push({
        rule: "skill/secret-file",
        offset: 0,
        file,
        message,
        hint: "keep it outside the skill",
      });
    } else if (depth === 0 && /^readme\.md$/i.test(entry.name)) {
      const message = "agents read SKILL.md, not README.md";
      findings.push({ rule: "skill/readme", offset: 0, file, message });
    }
  }
  return findings;
}
