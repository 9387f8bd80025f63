import type { KeyedClient } from "../../run/harnesses/index.ts";
import { filled } from "../logins/credentials-file.ts";
import type { Access, Logins } from "../logins/access.ts";
import type { LoginClient } from "../logins/login.ts";
import { failed, type Finding, noted, ok } from "./finding.ts";

/** Does what is there fit this client? The other vendor's key is of no use to it. */
export function loginFinding(
  client: LoginClient,
  { access }: Logins,
  platform: NodeJS.Platform = process.platform,
): Finding {
  const { title, needs, fix } = WORDS[client];
  const own = access[client];
  switch (own.kind) {
    case "key":
      return ok("login", `${title} uses ${own.variable}.`);
    case "server":
      if (own.passedOver === null) return ok("login", `${title} uses ${own.variable}.`);
      return noted("login", passedOverText(client, own.variable, own.passedOver), own.passedOver.fix);
    case "login":
      return ok("login", `${title} uses your login from ${own.login.source}.`);
    case "unusable":
      return failed(
        "login",
        `${title} cannot use ${own.login.source}: it ${own.login.problem}.`,
        own.login.fix,
      );
    case "none":
      return failed("login", `${title} needs ${needs}.${keychain(client, platform)}`, fix);
  }
}

/** The same for a client that knows no login here. */
export function keyFinding(
  { title, login }: Pick<KeyedClient, "title" | "login">,
  env: Readonly<Record<string, string | undefined>>,
): Finding {
  const held = login.find((name) => filled(env[name]) !== null);
  if (held !== undefined) return ok("login", `${title} uses ${held}.`);
  return failed("login", `${title} needs ${login.join(" or ")}.`, `export ${login[0]}`);
}

/** What a login means for who can see it; null where no login is used. */
export function loginNote(client: LoginClient, access: Access): string | null {
  if (access.kind !== "login") return null;
  const { title } = WORDS[client];
  return `${title} uses your login from ${access.login.source}. The token stays in Assay's gateway; the agent gets a throwaway that expires when its trial ends`;
}

function passedOverText(
  client: LoginClient,
  variable: string,
  { source, problem }: { readonly source: string; readonly problem: string },
): string {
  return `${WORDS[client].title} uses ${variable} without a login: ${source} ${problem}.`;
}

const WORDS = {
  claude: {
    title: "Claude Code",
    needs: "ANTHROPIC_API_KEY, CLAUDE_CODE_OAUTH_TOKEN or a login",
    fix: "export ANTHROPIC_API_KEY, or run claude setup-token and export CLAUDE_CODE_OAUTH_TOKEN, or run claude and /login",
  },
  codex: {
    title: "Codex",
    needs: "OPENAI_API_KEY, CODEX_API_KEY or a login",
    fix: "export OPENAI_API_KEY, or run codex login",
  },
} as const;

function keychain(client: LoginClient, platform: NodeJS.Platform): string {
  if (platform !== "darwin" || client !== "claude") return "";
  return " On a Mac, it keeps its login in the keychain, which Assay does not read.";
}
