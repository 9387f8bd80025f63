import { NO_SETTINGS, type Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { judgeNote } from "../../engine/models/judge-ahead.ts";
import type { JudgeFinder } from "../../engine/models/judges.ts";
import type { Judge } from "../../grade/judge.ts";
import type { Machine } from "../../machine.ts";

/** The model that proposes; the one that judges does both. Throws where there is none, so ask before anything is spent. */
export function proposerOf(find: JudgeFinder): Judge {
  const judge = find({ settings: NO_SETTINGS });
  if (judge !== null) return judge;
  throw new UserError("improve/no-model", "there is no model that could propose anything", {
    hint: "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or install claude or codex and use --transport cli",
  });
}

/** Notes up front which checks of the suite nobody can judge. */
export function noteUnjudged(
  suite: Suite,
  { find, machine }: { readonly find: JudgeFinder; readonly machine: Machine },
): void {
  const note = judgeNote([suite], find, "");
  if (note !== null) machine.note(note);
}
