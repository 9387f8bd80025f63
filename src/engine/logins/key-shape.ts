import { UserError } from "../../domain/user-error.ts";
import type { Machine } from "../../machine.ts";
import { filled } from "./credentials-file.ts";

/** What is sent to model services, by the variable it comes from. */
const KEY_VARIABLES = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "OPENAI_API_KEY",
  "CODEX_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "ASSAY_MODEL_KEY",
];

/** A variable whose value no request can carry. The value itself is never said. */
export interface MalformedKey {
  readonly variable: string;
  /** What is in it: "a line break". */
  readonly part: string;
}

export function malformedKeys(env: Machine["env"]): readonly MalformedKey[] {
  return KEY_VARIABLES.flatMap((variable) => {
    const part = malformedPart(filled(env[variable]) ?? "");
    return part === null ? [] : [{ variable, part }];
  });
}

/** What of a key or token no request can carry; null: all is fine. */
function malformedPart(key: string): string | null {
  if (/[\r\n]/.test(key)) return "a line break";
  if (/\s/.test(key)) return "a space";
  return /[^\x21-\x7e]/.test(key) ? "a character that no key has" : null;
}

/** Why a login with this token is of no use; null: the token is fine. */
export function tokenProblem(token: string): string | null {
  const part = malformedPart(token);
  return part === null ? null : `holds a token with ${part} in it`;
}

export function malformedText({ variable, part }: MalformedKey): string {
  return `${variable} has ${part} in it, so it was not sent.`;
}

export const MALFORMED_FIX = "copy the key again, as one word, or unset the variable";

/** Throws a UserError, before anything is sent. */
export function requireKeys(env: Machine["env"]): void {
  const [first] = malformedKeys(env);
  if (first !== undefined)
    throw new UserError("models/malformed-key", malformedText(first), { hint: MALFORMED_FIX });
}
