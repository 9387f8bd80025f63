import { PROVIDER_NAMES } from "../../providers/connect.ts";
import type { GradingReach } from "../../providers/grading-choice.ts";
import type { Logins } from "../logins/access.ts";
import type { Programs } from "./cli-judge.ts";

const CLIENTS = [
  { provider: "anthropic", client: "claude" },
  { provider: "openai", client: "codex" },
] as const;

/** Who can judge from here. A login is on file, or may be in the keychain of a Mac, where only the client can look. */
export function reachOf(
  programs: Programs,
  { providers, access }: Pick<Logins, "access"> & { readonly providers: readonly string[] },
  platform: NodeJS.Platform = process.platform,
): GradingReach {
  const installed = CLIENTS.filter(({ client }) => programs[client] !== null);
  const byLogin = CLIENTS.filter(({ client }) => access[client].kind === "login");
  const mayBeLoggedIn = (client: "claude" | "codex") =>
    access[client].kind === "login" || (platform === "darwin" && access[client].kind === "none");
  return {
    api: PROVIDER_NAMES.filter(
      (name) => providers.includes(name) && byLogin.every(({ provider }) => provider !== name),
    ),
    login: installed.filter(({ client }) => mayBeLoggedIn(client)).map(({ provider }) => provider),
    installed: installed.map(({ provider }) => provider),
  };
}
