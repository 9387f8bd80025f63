import type { Places } from "../sandbox.ts";
import { PINNED_DATE } from "./layer.ts";

/**
 * The whole environment of a trial's programs. Of the host's variables only the search path and what is needed to reach
 * the network through a proxy come along; everything that makes two machines differ is fixed.
 */
export function trialEnv(options: {
  readonly places: Places;
  readonly base: Readonly<Record<string, string | undefined>>;
  /** The only way out for programs in a closed network; absent or null: what the host has. */
  readonly proxy?: string | null;
}): Readonly<Record<string, string>> {
  const { places, base, proxy = null } = options;
  const env: Record<string, string> = {};
  for (const name of FROM_THE_HOST) {
    const value = base[name];
    if (value !== undefined && value !== "") env[name] = value;
  }
  if (proxy !== null) for (const name of PROXIES) delete env[name];
  return {
    ...env,
    ...(proxy !== null && { HTTPS_PROXY: proxy, https_proxy: proxy, NO_PROXY: LOOPBACK, no_proxy: LOOPBACK }),
    PATH: searchPath(base["PATH"]),
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    GIT_AUTHOR_DATE: PINNED_DATE,
    GIT_COMMITTER_DATE: PINNED_DATE,
    HOME: places.home,
    TMPDIR: places.temp,
    XDG_CONFIG_HOME: `${places.home}/.config`,
    XDG_CACHE_HOME: `${places.home}/.cache`,
    XDG_DATA_HOME: `${places.home}/.local/share`,
    XDG_STATE_HOME: `${places.home}/.local/state`,
  };
}

/** The agent's own configuration directory, which only this trial uses; staging makes it. */
export function agentConfigDirectory(home: string): string {
  return `${home}/.agent`;
}

const PROXIES = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
];

/** The gateway itself is there. */
const LOOPBACK = "127.0.0.1,localhost";

const FROM_THE_HOST = [
  ...PROXIES,
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
];

/** Relative entries would mean something else in each workspace. */
function searchPath(path: string | undefined): string {
  const entries = (path ?? "").split(":").filter((entry) => entry.startsWith("/"));
  return entries.length > 0 ? entries.join(":") : "/usr/local/bin:/usr/bin:/bin";
}
