/** The service that has a model of this name; null when the name does not tell. */
export function inferProvider(model: string): "anthropic" | "openai" | null {
  if (model.startsWith("claude-")) return "anthropic";
  if (model.startsWith("gpt-") || /^o\d/.test(model)) return "openai";
  return null;
}

/** Services with a program of their own, which can also judge with a login. */
export const PROGRAMS = [
  { provider: "anthropic", program: "claude" },
  { provider: "openai", program: "codex" },
] as const;

export type ProgramName = (typeof PROGRAMS)[number]["program"];

/** The program of a service; null where it has none. */
export function judgeProgram(service: string): ProgramName | null {
  return PROGRAMS.find(({ provider }) => provider === service)?.program ?? null;
}

/** Whose program it is. */
export function providerOf(name: ProgramName): (typeof PROGRAMS)[number]["provider"] {
  return PROGRAMS.find(({ program }) => program === name)?.provider ?? "openai";
}
