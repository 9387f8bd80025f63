import { readFile } from "node:fs/promises";
import type { Diagnostic } from "../domain/diagnostic.ts";
import type { Plan } from "../domain/plan.ts";
import type { Skill } from "../domain/skill.ts";
import { UserError } from "../domain/user-error.ts";
import { scanRule } from "../load/scan/rules.ts";
import { scanSkill } from "../load/scan/scan.ts";
import { readSkillDocument } from "../load/skill.ts";
import type { Machine } from "../machine.ts";
import { digest, trustMemory } from "./trust-memory.ts";

/**
 * Skills in which the scan finds something of high risk run only when the user agreed: for this run (`trust`), or by a yes that
 * is remembered for exactly the lines that were shown. What changes elsewhere in the skill is not asked about again.
 */
export async function askForSkills(
  plans: readonly Plan[],
  { trust, machine }: { trust: boolean; machine: Machine },
): Promise<void> {
  const findings = (await Promise.all(skillsOf(plans).map(highRisk))).flat();
  if (findings.length === 0) return;
  if (trust) {
    for (const { finding } of findings) machine.note(finding);
    return;
  }
  const memory = trustMemory(machine, "trusted-skills");
  const known = await memory.read();
  const open = findings.filter(({ key }) => !known.has(key));
  if (open.length === 0) return;
  const shown = open.map(({ finding }) => finding);
  const agreed = await machine.consent({ kind: "run-skills", findings: shown });
  if (agreed === null) throw untrusted(shown);
  if (!agreed) throw new UserError("run/untrusted-skill", "the skills were refused, so nothing was run");
  await memory.add(open.map(({ key }) => key));
}

/** Every version that is about to be installed. */
function skillsOf(plans: readonly Plan[]): readonly Skill[] {
  const all = plans.flatMap(({ suite, ground }) => [suite.skill, ...ground.versions]);
  return [...new Map(all.flatMap((skill) => (skill === null ? [] : [[skill.file, skill]]))).values()];
}

interface KeyedFinding {
  readonly finding: Diagnostic;
  readonly key: string;
}

async function highRisk(skill: Skill): Promise<readonly KeyedFinding[]> {
  const document = await readSkillDocument(skill.file, () => {});
  if (document === null) return [];
  const findings = (await scanSkill(document)).filter(({ code }) => scanRule(code)?.risk === "high");
  return Promise.all(findings.map(async (finding) => ({ finding, key: await keyOf(finding) })));
}

/** The rule and the line it was found in, wherever in the skill that is. */
async function keyOf({ code, message, at }: Diagnostic): Promise<string> {
  const text = at === null ? "" : await readFile(at.file, "utf8").catch(() => "");
  return digest(JSON.stringify([code, message, text.split("\n")[(at?.line ?? 1) - 1] ?? ""]));
}

function untrusted(findings: readonly Diagnostic[]): UserError {
  return new UserError(
    "run/untrusted-skill",
    "nothing was run: the skill contains something high-risk, and nobody has approved running it",
    {
      hint: "read the lines above; if you trust them, use --trust, or run once in a terminal and answer yes",
      diagnostics: findings,
    },
  );
}
