import type { Machine } from "../../machine.ts";
import { findClaudeLogin } from "./claude-login.ts";
import { findCodexLogin } from "./codex-login.ts";
import { filled } from "./credentials-file.ts";
import type { FoundLogin, Login, LoginClient } from "./login.ts";

/** How a client gets to its models from here; the first of these that holds. */
export type Access =
  /** A key in the environment. */
  | { readonly kind: "key"; readonly variable: string }
  /** Its own login, held by the gateway. */
  | { readonly kind: "login"; readonly login: Extract<Login, { status: "usable" }> }
  /** A server that is named in the environment and wants no key. */
  | {
      readonly kind: "server";
      readonly variable: string;
      /** A login that is there and of no use; null: there is none. */
      readonly passedOver: UnusableLogin | null;
    }
  /** A login that is there and of no use. */
  | { readonly kind: "unusable"; readonly login: UnusableLogin }
  | { readonly kind: "none" };

type UnusableLogin = Extract<Login, { status: "unusable" }>;

/** The logins of this machine's clients, and what follows from them. */
export interface Logins {
  readonly access: Readonly<Record<LoginClient, Access>>;
  /** Everything in the logins that must be masked. */
  readonly secrets: readonly string[];
}

export const NO_LOGINS: Logins = {
  access: { claude: { kind: "none" }, codex: { kind: "none" } },
  secrets: [],
};

export async function findLogins(machine: Machine): Promise<Logins> {
  const [claude, codex] = await Promise.all([findClaudeLogin(machine), findCodexLogin(machine)]);
  return {
    access: {
      claude: accessOf(machine, claude, {
        keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
        server: "ANTHROPIC_BASE_URL",
      }),
      codex: accessOf(machine, codex, {
        keys: ["OPENAI_API_KEY", "CODEX_API_KEY"],
        server: "OPENAI_BASE_URL",
      }),
    },
    secrets: [...claude.secrets, ...codex.secrets],
  };
}

function accessOf(
  { env }: Machine,
  { login }: FoundLogin,
  { keys, server }: { readonly keys: readonly string[]; readonly server: string },
): Access {
  const variable = keys.find((name) => filled(env[name]) !== null);
  if (variable !== undefined) return { kind: "key", variable };
  if (login.status === "usable") return { kind: "login", login };
  const passedOver = login.status === "unusable" ? login : null;
  if (filled(env[server]) !== null) return { kind: "server", variable: server, passedOver };
  return login.status === "unusable" ? { kind: "unusable", login } : { kind: "none" };
}
