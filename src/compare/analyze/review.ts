import { citeQuote } from "../../grade/evidence/cite.ts";
import type { EvidencePack } from "../../grade/evidence/pack.ts";
import type { SaidSuggestion } from "./reply.ts";
import { citeLine, type SkillFiles } from "./skill-files.ts";

/** A suggestion whose transcript event and skill line were looked up. */
export interface Suggestion extends Pick<
  SaidSuggestion,
  "priority" | "category" | "suggestion" | "expectedImpact"
> {
  readonly transcript: { readonly run: 1 | 2; readonly event: number; readonly quote: string };
  readonly skill: {
    readonly of: 1 | 2;
    readonly file: string;
    readonly line: number;
    readonly quote: string;
  };
}

export type Reviewed =
  | { readonly ok: true; readonly suggestion: Suggestion }
  | { readonly ok: false; readonly suggestion: string; readonly problem: string };

export interface Shown {
  readonly packs: readonly [EvidencePack, EvidencePack];
  /** Null: the text of that version is not known. */
  readonly skills: readonly [SkillFiles | null, SkillFiles | null];
}

export function reviewSuggestion(said: SaidSuggestion, { packs, skills }: Shown): Reviewed {
  const refused = (problem: string): Reviewed => ({ ok: false, suggestion: said.suggestion, problem });
  const { run, event, quote } = said.transcript;
  const cited = citeQuote(packs[run - 1] as EvidencePack, quote, `event ${event}`);
  if (!cited.ok) return refused(`transcript of run ${run}: ${cited.problem}`);
  const [piece] = cited.evidence;
  if (piece?.kind !== "quote" || piece.source.kind !== "event")
    return refused(`transcript of run ${run}: a quote that stands in no event`);
  const skill = skills[said.skill.of - 1];
  if (skill === undefined || skill === null)
    return refused(`the text of skill ${said.skill.of} is not known`);
  const line = citeLine(skill, said.skill);
  if (!line.ok) return refused(`skill ${said.skill.of}: ${line.problem}`);
  const { priority, category, suggestion, expectedImpact } = said;
  return {
    ok: true,
    suggestion: {
      priority,
      category,
      suggestion,
      expectedImpact,
      transcript: { run, event: piece.source.index, quote },
      skill: { of: said.skill.of, file: line.path, line: line.line, quote: said.skill.quote },
    },
  };
}
