import type { IncomingHttpHeaders } from "node:http";

/** Keys and tokens, wherever a client may put them. */
const KEY_HEADERS = [
  "authorization",
  "proxy-authorization",
  "x-api-key",
  "x-goog-api-key",
  "api-key",
  "cookie",
];

/** They concern one connection and are not passed on. */
const CONNECTION_HEADERS = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
];

/** The token that a client presents; null when it presents none. */
export function tokenIn(headers: IncomingHttpHeaders, query: URLSearchParams): string | null {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  const keys = ["x-api-key", "x-goog-api-key", "api-key"].map((name) => headers[name]);
  const found = [...keys, bearer, query.get("key")].find(
    (value) => typeof value === "string" && value !== "",
  );
  return typeof found === "string" ? found : null;
}

/** What of a client's headers is for the service. */
export function requestHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return without(headers, NOT_FOR_SERVICES);
}

/** What of a service's headers is for the client. Cookies belong to whoever holds the key. */
export function replyHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return without(headers, NOT_FOR_CLIENTS);
}

const NOT_FOR_SERVICES: ReadonlySet<string> = new Set([
  ...KEY_HEADERS,
  ...CONNECTION_HEADERS,
  "host",
  "content-length",
  "accept-encoding",
]);

const NOT_FOR_CLIENTS: ReadonlySet<string> = new Set([...CONNECTION_HEADERS, "set-cookie"]);

/** Without those names, and without what the connection header names. */
function without(headers: IncomingHttpHeaders, names: ReadonlySet<string>): IncomingHttpHeaders {
  const { connection = "" } = headers;
  const named = new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
  const left: IncomingHttpHeaders = {};
  for (const name in headers) if (!names.has(name) && !named.has(name)) left[name] = headers[name];
  return left;
}
