/** The service that has a model of this name; null when the name does not tell. */
export function inferProvider(model: string): "anthropic" | "openai" | null {
  if (model.startsWith("claude-")) return "anthropic";
  if (model.startsWith("gpt-") || /^o\d/.test(model)) return "openai";
  return null;
}
