import { readFile } from "node:fs/promises";
import type { Skill } from "../../domain/skill.ts";
import type { FormatName } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { type ProposalContext, questionChars } from "../../improve/proposal/question.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import type { Machine } from "../../machine.ts";
import { thousands } from "../../report/text.ts";
import { readCaptured } from "./captured-run.ts";

interface ContextWishes {
  readonly to: FormatName;
  /** A run or a file to learn from. */
  readonly from: string | null;
  readonly cases: number;
  readonly triggers: number;
}

interface ContextPlace {
  readonly skill: Skill;
  readonly results: string;
  readonly machine: Machine;
  readonly mask: SecretMask;
}

const MOST_TOKENS = 50_000;

/** What the model is told, without secrets. Throws where that would be too much. */
export async function proposalContext(
  { to, from, cases, triggers }: ContextWishes,
  place: ContextPlace,
): Promise<ProposalContext> {
  const { skill, mask } = place;
  const context = {
    skillName: skill.name,
    skillText: mask.text(await readFile(skill.file, "utf8")),
    captured: from === null ? null : await readCaptured(from, place),
    // A clauditor file is one case; Skillet cannot express trigger queries.
    cases: to === "clauditor" ? 1 : cases,
    triggers: to === "skillet" ? 0 : triggers,
  };
  const tokens = tokensOf(context);
  if (tokens <= MOST_TOKENS) return context;
  throw new UserError(
    "propose/too-long",
    `the question would have about ${thousands(tokens)} tokens; at most ${thousands(MOST_TOKENS)} are sent`,
    { hint: "shorten SKILL.md by moving details into files beside it" },
  );
}

/** About as many as the question has. */
export function tokensOf(context: ProposalContext): number {
  return Math.ceil(questionChars(context) / 4);
}
