import { join } from "node:path";
import { objectAt, textOrNull } from "../../lib/loose.ts";
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

/** `CLAUDE_CODE_OAUTH_TOKEN`, then what `claude` wrote when it was logged in. */
export async function findClaudeLogin(machine: Machine): Promise<FoundLogin> {
  const { env, home, now } = machine;
  const token = filled(env["CLAUDE_CODE_OAUTH_TOKEN"]);
  if (token !== null) return withToken(token, "CLAUDE_CODE_OAUTH_TOKEN", machine);
  const path = join(filled(env["CLAUDE_CONFIG_DIR"]) ?? join(home, ".claude"), ".credentials.json");
  const source = fromHome(path, machine);
  const file = await readCredentials(path);
  if (file.status === "absent") return NO_LOGIN;
  if (file.status === "broken") return unusable({ source, problem: file.problem, fix: LOGIN });
  const secrets = tokensIn(file.content);
  const login = objectAt(file.content, "claudeAiOauth");
  const access = textOrNull(login, "accessToken");
  if (access === null) return unusable({ source, problem: "holds no login", fix: LOGIN }, secrets);
  const problem = tokenProblem(access);
  if (problem !== null) return unusable({ source, problem, fix: LOGIN }, secrets);
  const expiresAt = endAt(login, "expiresAt");
  if (expiresAt !== null && expiresAt <= now().getTime()) {
    return unusable({ source, problem: expiredProblem(expiresAt), fix: REFRESH }, secrets);
  }
  const found = withToken(access, source, machine);
  return { ...found, secrets };
}

const LOGIN = "run claude and /login, or claude setup-token and export CLAUDE_CODE_OAUTH_TOKEN";
const REFRESH =
  "run claude once, which refreshes it; or claude setup-token and export CLAUDE_CODE_OAUTH_TOKEN, which lasts a year";

function withToken(token: string, source: string, { env }: Machine): FoundLogin {
  const upstream = {
    name: loginService("claude"),
    wires: ["messages"],
    baseUrl: filled(env["ANTHROPIC_BASE_URL"]) ?? "https://api.anthropic.com",
    key: token,
    keyHeader: "authorization",
    onRequest: true,
  } as const;
  return { login: { status: "usable", source, upstream }, secrets: [token] };
}
