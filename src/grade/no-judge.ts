/** Why checks that need a model stay unscored when there is none, and what to do about it. */
export const NO_JUDGE =
  "no judge is configured: set ANTHROPIC_API_KEY, or OPENAI_API_KEY with --grading-provider openai, or use --transport cli with claude or codex installed";
