import type { Diagnostic } from "../../domain/diagnostic.ts";
import { readSkillDocument, type SkillDocument } from "../skill.ts";
import { bodyFindings } from "./body.ts";
import { fieldFindings } from "./fields.ts";
import type { LintFinding } from "./finding.ts";
import { layoutFindings } from "./layout.ts";
import { nameFindings } from "./name.ts";
import { type Profile, RULES, type RuleCode } from "./rules.ts";

export interface LintOptions {
  readonly profile: Profile;
}

/** Everything the profile objects to, in file order; `target` is a path or a skill that was read before. */
export async function lintSkill(target: string | SkillDocument, options: LintOptions): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const document = typeof target === "string" ? await readSkillDocument(target, report) : target;
  if (document === null) return diagnostics;
  const findings = [
    ...frontmatterFindings(document),
    ...bodyFindings(document),
    ...layoutFindings(document, report),
  ].sort((a, b) => a.offset - b.offset);
  for (const finding of findings) {
    const diagnostic = toDiagnostic(finding, document, options.profile);
    if (diagnostic !== null) diagnostics.push(diagnostic);
  }
  return diagnostics;
}

function frontmatterFindings(document: SkillDocument): LintFinding[] {
  const { frontmatter, skill } = document;
  switch (frontmatter.kind) {
    case "read":
      return [...nameFindings(document, frontmatter.root), ...fieldFindings(document, frontmatter.root)];
    case "broken":
      return frontmatter.problems.map(({ code, offset, message, hint }) => {
        const rule: RuleCode = `skill/frontmatter-${code}`;
        return hint === undefined ? { rule, offset, message } : { rule, offset, message, hint };
      });
    case "missing":
      // Commands may do without.
      if (skill.layout === "command") return [];
      return [
        {
          rule: "skill/frontmatter-missing",
          offset: 0,
          message: "the file does not start with frontmatter",
          hint: "begin with ---, then name: and description:, then ---",
        },
      ];
  }
}

const SEVERITY = new Map(RULES.map((rule) => [rule.code, rule.severity] as const));

function toDiagnostic(finding: LintFinding, document: SkillDocument, profile: Profile): Diagnostic | null {
  const severity = severityOf(finding.rule, profile);
  if (severity === "off") return null;
  return {
    severity,
    code: finding.rule,
    message: finding.message,
    at: finding.file === undefined ? document.at(finding.offset) : { file: finding.file, line: 1, column: 1 },
    hint: finding.hint ?? null,
  };
}

function severityOf(rule: RuleCode, profile: Profile) {
  return SEVERITY.get(rule)?.[profile] ?? "error";
}
