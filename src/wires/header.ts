import type { IncomingHttpHeaders } from "node:http";

/** Null when it is missing, empty or sent more than once. */
export function header(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}
