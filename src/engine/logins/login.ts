import type { Upstream } from "../../gateway/upstream.ts";

export const LOGIN_CLIENTS = ["claude", "codex"] as const;
export type LoginClient = (typeof LOGIN_CLIENTS)[number];

/** What a client's own login is on this machine. */
export type Login =
  | {
      readonly status: "usable";
      /** For people: the variable or the file it comes from. */
      readonly source: string;
      /** The service it opens. The gateway holds the token; only trials of this client may use it. */
      readonly upstream: Upstream;
    }
  | {
      readonly status: "unusable";
      readonly source: string;
      /** A clause that follows the source: "has expired". */
      readonly problem: string;
      readonly fix: string;
    }
  | { readonly status: "none" };

/** A login with everything in it that must never be written down, whether it can be used or not. */
export interface FoundLogin {
  readonly login: Login;
  readonly secrets: readonly string[];
}

export const NO_LOGIN: FoundLogin = { login: { status: "none" }, secrets: [] };

/** The name of a login among the services of the gateway. */
export function loginService(client: LoginClient): string {
  return `${client}-login`;
}
