import type { Json } from "../../domain/json.ts";
import type { WireAnswer, AnswerPart, AnswerStop, Tokens } from "../../wires/answer.ts";
import type { ReplyPart, SimReply } from "./script.ts";
import { type Scene, wholeText } from "./scene.ts";
import { fillJson, fillText } from "./template.ts";
import { toClientCall } from "./tools.ts";
import { judgeReply } from "./verdicts.ts";

/** Turns a scripted reply into an answer to one request. Throws `Unanswerable` when the request does not allow it. */
export function compose(
  reply: SimReply,
  scene: Scene,
  { serial, now }: { serial: number; now: Date },
): WireAnswer {
  // Position and serial together stay unique even when a conversation goes on against a new server.
  const id = `sim${scene.responses}x${serial}`;
  const parts = reply.parts.map((part, index) => toAnswerPart(part, scene, `${id}x${index}`));
  return {
    id,
    model: scene.ask.model === "" ? "sim" : scene.ask.model,
    parts,
    stop: reply.stop ?? stopOf(parts),
    tokens: tokensOf(reply, scene, parts),
    createdAt: Math.floor(now.getTime() / 1000),
  };
}

function toAnswerPart(part: ReplyPart, scene: Scene, id: string): AnswerPart {
  switch (part.kind) {
    case "call":
      return { kind: "call", id, ...toClientCall(part.tool, fillJson(part.input, scene), scene.ask) };
    case "json":
      return structuredPart(fillJson(part.value, scene), scene, id);
    case "verdicts":
      return structuredPart(judgeReply(part.verdicts, wholeText(scene.ask), part), scene, id);
    default:
      return { kind: part.kind, text: fillText(part.text, scene) };
  }
}

function structuredPart(value: Json, { ask: { structured } }: Scene, id: string): AnswerPart {
  return structured.via === "tool"
    ? { kind: "call", id, name: structured.tool, input: value, custom: false }
    : { kind: "text", text: JSON.stringify(value) };
}

function stopOf(parts: readonly AnswerPart[]): AnswerStop {
  if (parts.some((part) => part.kind === "refusal")) return "refusal";
  return parts.some((part) => part.kind === "call") ? "tool" : "end";
}

function tokensOf(reply: SimReply, scene: Scene, parts: readonly AnswerPart[]): Tokens {
  const size = (wanted: boolean): number =>
    parts
      .filter((part) => (part.kind === "thinking") === wanted)
      .map((part) => (part.kind === "call" ? JSON.stringify(part.input).length : part.text.length))
      .reduce((sum, length) => sum + Math.ceil(length / 4), 0);
  return {
    input: reply.usage?.input ?? Math.max(1, Math.ceil(scene.ask.bytes / 4)),
    output: reply.usage?.output ?? Math.max(1, size(false)),
    cacheRead: reply.usage?.cacheRead ?? 0,
    cacheWrite: reply.usage?.cacheWrite ?? 0,
    reasoning: reply.usage?.reasoning ?? size(true),
  };
}
