import { UserError } from "../domain/user-error.ts";
import { type WireName, WIRES } from "../wires/index.ts";
import type { ModelCall } from "./call.ts";

/** One model service, with the real key. Nothing of it is read from the environment here. */
export interface Upstream {
  readonly name: string;
  /** The dialects it speaks. */
  readonly wires: readonly WireName[];
  /** As people write it: with or without the version at its end. */
  readonly baseUrl: string;
  /** Null: the service wants none, as local servers do. */
  readonly key: string | null;
  /** How it wants the key. */
  readonly keyHeader: "x-api-key" | "authorization" | "x-goog-api-key";
  /** Sent with every request, over what the client sends. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It serves only those who name it, as a login serves only its own client; absent: whoever speaks its dialect. */
  readonly onRequest?: boolean;
}

/** Throws a UserError when an address is none. */
export function checkUpstreams(upstreams: readonly Upstream[]): void {
  for (const { name, baseUrl } of upstreams) {
    if (URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol)) continue;
    throw new UserError(
      "gateway/bad-url",
      `the address of the model service ${name} is ${JSON.stringify(baseUrl)}, which is not an http address`,
      { hint: "write it with its scheme, e.g. http://localhost:11434/v1" },
    );
  }
}

/** The address of a call at the service; a dialect brings its version where the base does not hold one. */
export function targetOf(
  { baseUrl }: Upstream,
  call: Pick<ModelCall, "wire" | "resource" | "version" | "query">,
): URL {
  const base = new URL(baseUrl);
  const path = base.pathname.replace(/\/+$/, "");
  const { versionedBy } = WIRES[call.wire].http;
  const versioned = versionedBy === "any-path" ? path !== "" : /\/v\d\w*$/.test(path);
  base.pathname = `${versioned ? path : `${path}/${call.version}`}/${call.resource}`;
  base.search = call.query;
  return base;
}

export function keyHeaders({ key, keyHeader, headers }: Upstream): Record<string, string> {
  const own = key === null ? {} : { [keyHeader]: keyHeader === "authorization" ? `Bearer ${key}` : key };
  return { ...own, ...headers };
}
