import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";

/** Says who may ask. */
export interface Guard {
  /** Worth one cookie. */
  readonly token: string;
  /** Why a request is refused; null: it is not. */
  readonly refusal: (request: IncomingMessage) => string | null;
  /** The cookie for whoever brings the token; null: it is wrong, or was used. */
  readonly exchange: (token: string) => string | null;
  readonly knows: (request: IncomingMessage) => boolean;
}

/** `host` is what the server listens on. */
export function guardOf({ host, port }: { readonly host: string; readonly port: number }): Guard {
  const token = randomBytes(32).toString("base64url");
  const session = randomBytes(32).toString("base64url");
  // Browsers send cookies of one port to all others, so that two viewers must not share a name.
  const name = `assay-${port}`;
  const hosts = new Set(namesOf(host).map((one) => `${one}:${port}`));
  let spent = false;
  return {
    token,
    refusal(request) {
      const asked = request.headers.host ?? "";
      if (!hosts.has(asked)) return "this server does not answer to that name";
      const { origin } = request.headers;
      const isOwn = origin === `http://${asked}`;
      if (origin !== undefined && !isOwn) return "requests from other sites are refused";
      const changes = request.method !== "GET" && request.method !== "HEAD";
      if (changes && !isOwn) return "a change must come from the viewer's own page";
      const site = request.headers["sec-fetch-site"];
      const isPage = request.headers["sec-fetch-mode"] === "navigate";
      if (site !== undefined && site !== "same-origin" && site !== "none" && !isPage)
        return "requests from other sites are refused";
      return null;
    },
    exchange(given) {
      if (spent || !isSame(given, token)) return null;
      spent = true;
      return `${name}=${session}; HttpOnly; SameSite=Strict; Path=/`;
    },
    knows: ({ headers }) =>
      (headers.cookie ?? "").split(";").some((one) => {
        const [key, value = ""] = one.trim().split("=", 2);
        return key === name && isSame(value, session);
      }),
  };
}

/** All that a person may call an address of this machine by. */
function namesOf(host: string): readonly string[] {
  const loopback = ["127.0.0.1", "localhost", "[::1]"];
  if (isLoopback(host)) return loopback;
  const isEvery = host === "0.0.0.0" || host === "::";
  if (!isEvery) return [host.includes(":") ? `[${host}]` : host];
  const own = Object.values(networkInterfaces())
    .flatMap((some) => some ?? [])
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));
  return [...loopback, ...own];
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** In the same time for every wrong one. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
