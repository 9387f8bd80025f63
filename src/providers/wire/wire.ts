/** The HTTP dialects of model services. */
export type WireName = "messages" | "responses" | "chat" | "gemini";

/** What the path of a request asks for. */
export interface WireCall {
  readonly wire: WireName;
  readonly operation: "answer" | "count";
  /** Where the path says it and not the body. */
  readonly model: string | null;
  readonly stream: boolean | null;
}

/** Null when the path is none that makes a model speak or count. Anything may stand before it. */
export function wireCall(path: string): WireCall | null {
  const call = (wire: WireName, operation: WireCall["operation"] = "answer"): WireCall => ({
    wire,
    operation,
    model: null,
    stream: null,
  });
  if (path.endsWith("/messages")) return call("messages");
  if (path.endsWith("/messages/count_tokens")) return call("messages", "count");
  if (path.endsWith("/responses")) return call("responses");
  if (path.endsWith("/chat/completions")) return call("chat");
  const gemini = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/.exec(path);
  if (gemini === null) return null;
  return {
    wire: "gemini",
    operation: gemini[2] === "countTokens" ? "count" : "answer",
    model: gemini[1] ?? null,
    stream: gemini[2] === "streamGenerateContent",
  };
}
