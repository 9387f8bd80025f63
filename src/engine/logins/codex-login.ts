import { join } from "node:path";
import { objectAt, parseLine, textOrNull } from "../../lib/loose.ts";
import type { Machine } from "../../machine.ts";
import {
  endAt,
  expiredProblem,
  filled,
  fromHome,
  readCredentials,
  tokensIn,
  unusable,
} from "./credentials-file.ts";
import { tokenProblem } from "./key-shape.ts";
import { type FoundLogin, loginService, NO_LOGIN } from "./login.ts";

/** What `codex login` wrote: a ChatGPT account, or an API key. */
export async function findCodexLogin(machine: Machine): Promise<FoundLogin> {
  const { env, home, now } = machine;
  const path = join(filled(env["CODEX_HOME"]) ?? join(home, ".codex"), "auth.json");
  const source = fromHome(path, machine);
  const file = await readCredentials(path);
  if (file.status === "absent") return NO_LOGIN;
  if (file.status === "broken") return unusable({ source, problem: file.problem, fix: LOGIN });
  const secrets = tokensIn(file.content);
  const key = textOrNull(file.content, "OPENAI_API_KEY");
  const tokens = objectAt(file.content, "tokens");
  const access = textOrNull(tokens, "access_token");
  const byKey = textOrNull(file.content, "auth_mode") === "apikey" || access === null;
  const problem = tokenProblem((byKey ? key : access) ?? "");
  if (problem !== null) return unusable({ source, problem, fix: LOGIN }, secrets);
  if (byKey && key === null) return unusable({ source, problem: "holds no login", fix: LOGIN }, secrets);
  if (byKey) return usable({ source, key: key ?? "", service: PLATFORM, headers: {} }, secrets, machine);
  const expiresAt = expiryOf(access);
  if (expiresAt !== null && expiresAt <= now().getTime()) {
    return unusable({ source, problem: expiredProblem(expiresAt), fix: REFRESH }, secrets);
  }
  const account = textOrNull(tokens, "account_id");
  const headers: Readonly<Record<string, string>> = account === null ? {} : { "chatgpt-account-id": account };
  return usable({ source, key: access, service: CHATGPT, headers }, secrets, machine);
}

const LOGIN = "run codex login, or set OPENAI_API_KEY";
const REFRESH = "run codex once, which refreshes it; or set OPENAI_API_KEY";
const PLATFORM = "https://api.openai.com/v1";
const CHATGPT = "https://chatgpt.com/backend-api/codex";

interface Opened {
  readonly source: string;
  readonly key: string;
  readonly service: string;
  readonly headers: Readonly<Record<string, string>>;
}

function usable(
  { source, key, service, headers }: Opened,
  secrets: readonly string[],
  { env }: Machine,
): FoundLogin {
  const upstream = {
    name: loginService("codex"),
    wires: ["responses"],
    baseUrl: filled(env["OPENAI_BASE_URL"]) ?? service,
    key,
    keyHeader: "authorization",
    headers,
    onRequest: true,
  } as const;
  return { login: { status: "usable", source, upstream }, secrets };
}

/** When a token says that it ends, in milliseconds; null where it does not say. */
function expiryOf(token: string): number | null {
  const [, claims = ""] = token.split(".");
  const seconds = endAt(parseLine(Buffer.from(claims, "base64url").toString("utf8")), "exp");
  return seconds === null ? null : seconds * 1000;
}
