import { NO_SETTINGS, type Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Judge } from "../../grade/judge.ts";
import { judgeNote } from "../../engine/models/judge-ahead.ts";
import type { JudgeFinder } from "../../engine/models/judges.ts";
import type { Machine } from "../../machine.ts";

/** The model that proposes; the one that judges does both. Throws where there is none, so ask before anything is spent. */
export function proposerOf(find: JudgeFinder): Judge {
  const judge = find({ settings: NO_SETTINGS });
  if (judge !== null) return judge;
  throw new UserError("improve/no-model", "there is no model that could propose anything", {
    hint: "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or install claude or codex and use --transport cli",
  });
}

/** Says up front who does `work`, and which checks of the suite nobody can judge. */
export function tellJudge(
  { name, model }: Judge,
  work: string,
  {
    suite,
    find,
    machine,
  }: { readonly suite: Suite | null; readonly find: JudgeFinder; readonly machine: Machine },
): void {
  machine.err(`${model} (${name}) ${work}\n`);
  const note = suite === null ? null : judgeNote([suite], find, "");
  if (note !== null) machine.note(note);
}
