import { lookup as resolveName } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** What came of asking for a URL. */
export type Reached =
  /** The service answered; `status` is of the last of its redirects. */
  | { readonly kind: "answered"; readonly status: number }
  /** Not asked, because it does not lead to the public internet over HTTP. */
  | { readonly kind: "refused"; readonly reason: string }
  /** No answer; `local` when the trouble is at this end. */
  | { readonly kind: "failed"; readonly reason: string; readonly local: boolean };

export interface ReachOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The addresses of a host name. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** May this address be connected to? */
  readonly allows?: (address: string, port: number) => boolean;
}

const MOST_REDIRECTS = 5;

/**
 * Asks with HEAD, and with GET where HEAD is not served. Every hop's host is resolved once, all its addresses are checked, and the
 * connection goes to the addresses that were checked. Proxies of the environment are not used. Never rejects.
 */
export async function reachUrl(url: string, options: ReachOptions = {}): Promise<Reached> {
  let here = url;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const target = await targetOf(here, options);
    if ("kind" in target) return target;
    let answer = await ask("HEAD", target, options);
    if (answer.kind === "answered" && (answer.status === 405 || answer.status === 501)) {
      answer = await ask("GET", target, options);
    }
    if (answer.kind !== "answered" || answer.location === null) return plain(answer);
    if (!URL.canParse(answer.location, here)) {
      return { kind: "failed", reason: "it redirects to something that is not a URL", local: false };
    }
    here = new URL(answer.location, here).href;
  }
  return { kind: "failed", reason: `it redirects more than ${MOST_REDIRECTS} times`, local: false };
}

interface Target {
  readonly url: URL;
  readonly hostname: string;
  readonly addresses: readonly string[];
}

async function targetOf(text: string, options: ReachOptions): Promise<Target | Reached> {
  if (!URL.canParse(text)) return refused("it is not a URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return refused(`${url.protocol} is not HTTP`);
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  let addresses: readonly string[];
  try {
    addresses = isIP(hostname) === 0 ? await (options.resolve ?? resolveAll)(hostname) : [hostname];
  } catch (error) {
    return failure(error);
  }
  if (addresses.length === 0) return { kind: "failed", reason: `${hostname} has no address`, local: false };
  const allows = options.allows ?? isPublicAddress;
  const blocked = addresses.find((address) => !allows(address, portOf(url)));
  if (blocked !== undefined)
    return refused(`${hostname} resolves to ${blocked}, which is not a public address`);
  return { url, hostname, addresses };
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  const found = await resolveName(hostname, { all: true });
  return found.map((entry) => entry.address);
}

type Answer =
  | { readonly kind: "answered"; readonly status: number; readonly location: string | null }
  | Exclude<Reached, { readonly kind: "answered" }>;

function ask(
  method: "HEAD" | "GET",
  { url, hostname, addresses }: Target,
  options: ReachOptions,
): Promise<Answer> {
  const { timeoutMs = 5000, signal } = options;
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const asked = request({
      method,
      hostname,
      port: portOf(url),
      path: url.pathname + url.search,
      agent: false,
      headers: { "user-agent": "assay", accept: "*/*" },
      lookup: (_name, { all }, callback) => {
        const checked = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all === true) callback(null, checked);
        else callback(null, checked[0]?.address ?? "", checked[0]?.family ?? 4);
      },
    });
    const end = (answer: Answer): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve(answer);
      asked.destroy();
    };
    const stop = (): void => end({ kind: "failed", reason: "stopped", local: true });
    const timer = setTimeout(
      () => end({ kind: "failed", reason: `no answer within ${timeoutMs / 1000} s`, local: false }),
      timeoutMs,
    );
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
    asked.on("error", (error) => end(failure(error)));
    asked.on("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      const redirects = status >= 300 && status < 400 && status !== 304;
      end({ kind: "answered", status, location: redirects ? (headers.location ?? null) : null });
    });
    asked.end();
  });
}

function plain(answer: Answer): Reached {
  return answer.kind === "answered" ? { kind: "answered", status: answer.status } : answer;
}

function refused(reason: string): Reached {
  return { kind: "refused", reason };
}

/** Trouble that says nothing about the URL: this machine has no way out. */
const LOCAL_TROUBLE = new Set(["EAI_AGAIN", "ENETUNREACH", "ENETDOWN", "EMFILE", "ENFILE", "ENOBUFS"]);

function failure(error: unknown): Exclude<Reached, { readonly kind: "answered" }> {
  const { code, message } = error as NodeJS.ErrnoException;
  return { kind: "failed", reason: code ?? message, local: code !== undefined && LOCAL_TROUBLE.has(code) };
}
