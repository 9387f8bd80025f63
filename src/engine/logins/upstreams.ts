import type { Upstream } from "../../gateway/upstream.ts";
import { agentClients, furtherClients, type KeyedClient } from "../../run/harnesses/index.ts";
import type { Logins } from "./access.ts";
import { LOGIN_CLIENTS, type LoginClient, loginService } from "./login.ts";

/** The logins that are used because no key is there. */
export function loginUpstreams({ access }: Logins): readonly Upstream[] {
  return LOGIN_CLIENTS.flatMap((client) => {
    const found = access[client];
    return found.kind === "login" ? [found.login.upstream] : [];
  });
}

/** The client whose login a harness uses; null: it uses none. */
export function clientOf(harness: string): LoginClient | null {
  const program = agentClients.find(({ name }) => name === harness)?.program;
  return LOGIN_CLIENTS.find((client) => client === program) ?? null;
}

/** The client of a harness that takes only a key; null: it is none of them. */
export function keyedClientOf(harness: string): KeyedClient | null {
  return furtherClients.find(({ name }) => name === harness) ?? null;
}

/** The service that only trials of this harness may use; null: it has no login of its own. */
export function loginOf(harness: string): string | null {
  const client = clientOf(harness);
  return client === null ? null : loginService(client);
}
