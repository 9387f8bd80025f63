import { citeQuote } from "../../grade/evidence/cite.ts";
import type { EvidencePack } from "../../grade/evidence/pack.ts";
import type { SaidSuggestion } from "./reply.ts";
import { citeLine, type SkillFiles } from "./skill-files.ts";

/** A suggestion whose transcript event and skill line were looked up, and stand where it says now. */
export type CheckedSuggestion = SaidSuggestion;

export type ReviewedSuggestion =
  | { readonly ok: true; readonly suggestion: CheckedSuggestion }
  | { readonly ok: false; readonly suggestion: string; readonly problem: string };

export interface Shown {
  readonly packs: readonly [EvidencePack, EvidencePack];
  /** Null: the text of that version is not known. */
  readonly skills: readonly [SkillFiles | null, SkillFiles | null];
}

export function reviewSuggestion(said: SaidSuggestion, { packs, skills }: Shown): ReviewedSuggestion {
  const refused = (problem: string): ReviewedSuggestion => ({
    ok: false,
    suggestion: said.suggestion,
    problem,
  });
  const { run, event, quote } = said.transcript;
  const cited = citeQuote(packs[run - 1] as EvidencePack, quote, `event ${event}`);
  if (!cited.ok) return refused(`transcript of run ${run}: ${cited.problem}`);
  const [piece] = cited.evidence;
  if (piece?.kind !== "quote" || piece.source.kind !== "event")
    return refused(`transcript of run ${run}: a quote that is in no event`);
  const skill = skills[said.skill.of - 1];
  if (skill === undefined || skill === null)
    return refused(`the text of skill ${said.skill.of} is not known`);
  const line = citeLine(skill, said.skill);
  if (!line.ok) return refused(`skill ${said.skill.of}: ${line.problem}`);
  return {
    ok: true,
    suggestion: {
      ...said,
      transcript: { run, event: piece.source.index, quote },
      skill: { ...said.skill, file: line.path, line: line.line },
    },
  };
}
