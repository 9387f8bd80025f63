import { NO_SETTINGS } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { JudgeFinder } from "../../engine/models/judges.ts";
import type { Judge } from "../../grade/judge.ts";

/** The model that proposes; the one that judges does both. Throws where there is none, so ask before anything is spent. */
export function proposerOf(find: JudgeFinder): Judge {
  const judge = find({ settings: NO_SETTINGS });
  if (judge !== null) return judge;
  throw new UserError("improve/no-model", "there is no model to propose anything", {
    hint: "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or install claude or codex and use --transport cli",
  });
}
