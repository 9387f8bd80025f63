import type { Judge } from "../judge.ts";

/** Tokens that models take at once, by how their names begin; the first that fits counts. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^claude-/, 200_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^gpt-4o|^gpt-4-turbo|^chatgpt-4o/, 128_000],
  [/^gpt-5|^gpt-oss-|^codex-/, 256_000],
  [/^o\d/, 200_000],
  [/^gemini-/, 1_000_000],
  [/^(?:deepseek|qwen|llama|mistral|mixtral|kimi|glm)/, 128_000],
];

/** Of a model that is not in the list: little enough for almost any. */
const UNKNOWN_WINDOW = 48_000;
/** For instructions, criteria and the answer. */
const RESERVED_TOKENS = 16_000;
/** Code, JSON and languages other than English have fewer characters to a token than prose. */
const CHARS_PER_TOKEN = 2.5;
/** What a model still reads with care; more is read in several passes. */
const MOST_CHARS = 600_000;
const LEAST_CHARS = 8_000;

/** How many characters of evidence all judges of a panel take at once. `contextTokens` is what the user says of them. */
export function evidenceBudget(
  judges: readonly Pick<Judge, "model">[],
  contextTokens: number | null,
): number {
  const windows = judges.map(({ model }) => contextTokens ?? windowOf(model));
  const tokens = Math.min(...windows, 1_000_000);
  const chars = Math.floor((tokens - RESERVED_TOKENS) * CHARS_PER_TOKEN);
  return Math.min(MOST_CHARS, Math.max(LEAST_CHARS, chars));
}

/** Also behind a service's prefix, as in `anthropic/claude-sonnet-4-6`. */
export function windowOf(model: string): number {
  const name = model.toLowerCase().replace(/^.*\//, "");
  return WINDOWS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN_WINDOW;
}
