import type { Route } from "./http.ts";
import { WIRE_NAMES, type WireName, WIRES } from "./index.ts";

/** What the path of a request asks for, and in which dialect. */
export interface WireCall extends Route {
  readonly wire: WireName;
}

/** Null when the path is none that makes a model speak or count. Anything may come before it. */
export function wireCall(path: string): WireCall | null {
  for (const wire of WIRE_NAMES) {
    const route = WIRES[wire].http.route(path);
    if (route !== null) return { wire, ...route };
  }
  return null;
}
