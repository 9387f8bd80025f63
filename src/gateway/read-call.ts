import type { IncomingMessage } from "node:http";
import type { JsonObject } from "../domain/json.ts";
import { objectAt, textAt } from "../lib/loose.ts";
import { WIRE_NAMES, type WireName, WIRES } from "../wires/index.ts";
import { wireCall } from "../wires/wire-call.ts";
import type { ModelCall } from "./call.ts";
import { requestHeaders } from "./headers.ts";
import type { RequestBody } from "./request-body.ts";

/** What an address says, before anything is checked. */
export interface Address {
  /** The `x` of `/r/x/...`; null when there is none. */
  readonly trialPath: string | null;
  /** Behind that, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export function readAddress(url: string): Address {
  const [whole = "", search = ""] = splitOnce(url, "?");
  const trial = /^\/r\/([^/]+)(\/.*)?$/.exec(whole);
  return {
    trialPath: trial?.[1] ?? null,
    path: trial === null ? whole : (trial[2] ?? "/"),
    query: new URLSearchParams(search),
  };
}

/** What is asked, as far as the address tells it; null when it is nothing that the gateway passes on. */
export interface Asks {
  readonly wire: WireName;
  readonly operation: ModelCall["operation"];
  readonly model: string | null;
  readonly stream: boolean | null;
  readonly resource: string;
  readonly version: string;
}

export function readAsks(request: IncomingMessage, { path }: Address): Asks | null {
  const version = /^\/(v\d\w*)\//.exec(path)?.[1] ?? null;
  if (request.method === "POST") {
    const call = wireCall(path);
    return call === null ? null : { ...call, version: version ?? WIRES[call.wire].http.version };
  }
  const resource = /\/(models(?:\/[^/]+)?)$/.exec(path)?.[1];
  if (request.method !== "GET" || resource === undefined) return null;
  const wire = wireSpokenBy(request, path);
  return {
    wire,
    operation: "models",
    model: null,
    stream: null,
    resource,
    version: version ?? WIRES[wire].http.version,
  };
}

/** The dialect that an unclear request is most likely in, so that the client understands what it is told. */
export function wireSpokenBy({ headers }: IncomingMessage, path: string): WireName {
  const known = wireCall(path);
  if (known !== null) return known.wire;
  return WIRE_NAMES.find((wire) => WIRES[wire].http.marks(headers, path)) ?? UNMARKED;
}

const UNMARKED: WireName = "responses";

export function toCall(
  asks: Asks,
  { query }: Address,
  given: {
    readonly request: IncomingMessage;
    readonly body: RequestBody & { readonly ok: true };
    readonly trial: Pick<ModelCall, "trial" | "endpoint" | "ordinal">;
  },
): ModelCall {
  const { request, body, trial } = given;
  const { bytes, packed } = body;
  const json = objectAt(body.json);
  return {
    ...trial,
    wire: asks.wire,
    operation: asks.operation,
    method: request.method ?? "GET",
    resource: asks.resource,
    version: asks.version,
    query: withoutKey(query),
    headers: requestHeaders(request.headers),
    model: asks.model ?? textAt(json, "model"),
    stream: asks.stream ?? json["stream"] === true,
    maxOutputTokens: WIRES[asks.wire].http.maxOutputTokens(json),
    packed,
    bytes,
    json: () => objectAt(parse(bytes)) as JsonObject,
  };
}

function parse(bytes: Buffer): unknown {
  return bytes.length === 0 ? null : JSON.parse(bytes.toString("utf8"));
}

function withoutKey(query: URLSearchParams): string {
  const left = new URLSearchParams(query);
  left.delete("key");
  const text = left.toString();
  return text === "" ? "" : `?${text}`;
}

function splitOnce(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
