import type { Json, JsonObject } from "../../domain/json.ts";
import type { Ask } from "../../wires/ask.ts";
import type { WireName } from "../../wires/index.ts";
import { parseScript } from "./read-script.ts";
import { readScene, type Scene } from "./scene.ts";
import { type Sim, type SimServerOptions, startSim } from "./server.ts";

/** For tests: a server for a YAML script. */
export function simFor(script: string, options: SimServerOptions = {}): Promise<Sim> {
  return startSim(parseScript(script), options);
}

export interface Reached {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; null when it is not. */
  readonly json: JsonObject | null;
  /** The events of a stream, `[DONE]` left out. */
  readonly events: readonly JsonObject[];
}

export async function post(url: string, body: Json, init: RequestInit = {}): Promise<Reached> {
  const response = await fetch(url, {
    method: "POST",
    body: JSON.stringify(body),
    ...init,
    headers: { "content-type": "application/json", ...(init.headers as Record<string, string> | undefined) },
  });
  const text = await response.text();
  const stream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: stream ? null : tryJson(text),
    events: stream ? eventsOf(text) : [],
  };
}

/** The events of a server-sent stream; throws when a named event disagrees with its own type. */
function eventsOf(text: string): readonly JsonObject[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "" && block !== "data: [DONE]")
    .map((block) => {
      const name = /^event: (.+)$/m.exec(block)?.[1];
      const data = JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? "") as JsonObject;
      if (name !== undefined && data["type"] !== name)
        throw new Error(`${name} carries ${JSON.stringify(data["type"])}`);
      return data;
    });
}

/** A request on each wire that says one user text. */
export const SAYS: Readonly<Record<WireName, (text: string, stream?: boolean) => [string, JsonObject]>> = {
  messages: (text, stream = false) => [
    "/v1/messages",
    { model: "m", max_tokens: 9, stream, messages: [{ role: "user", content: text }] },
  ],
  responses: (text, stream = false) => ["/v1/responses", { model: "m", stream, input: text }],
  chat: (text, stream = false) => [
    "/v1/chat/completions",
    { model: "m", stream, messages: [{ role: "user", content: text }] },
  ],
  gemini: (text, stream = false) => [
    `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    { contents: [{ role: "user", parts: [{ text }] }] },
  ],
};

export function askOf(changes: Partial<Ask> = {}): Ask {
  return {
    model: "m",
    stream: false,
    conversation: null,
    subagent: false,
    system: "",
    entries: [{ kind: "user", text: "hi" }],
    tools: [],
    structured: { via: "none" },
    streamUsage: true,
    bytes: 100,
    ...changes,
  };
}

export function sceneOf(changes: Partial<Ask> = {}): Scene {
  return readScene(askOf(changes), "messages");
}

export function offered(...names: readonly string[]): Ask["tools"] {
  return names.map((name) => ({ name, custom: name === "apply_patch", description: "" }));
}

function tryJson(text: string): JsonObject | null {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return null;
  }
}
