import { failed, type Finding, noted, ok } from "./finding.ts";

/** Is this a version of the client that Assay can drive? Harnesses without such a client are always fine. */
export function agentFinding(
  harness: string,
  client: { readonly name: string; readonly version: string | null },
): Finding {
  const known = SUPPORTED[harness];
  if (known === undefined) return ok("agent", `The agent is ${harness}.`);
  const { version } = client;
  if (version === null)
    return noted("agent", `${client.name} does not tell its version.`, `${client.name} --version`);
  if (isOlder(version, known.from)) {
    const message = `${client.name} ${version} is too old: Assay needs ${known.from} or later.`;
    return failed("agent", message, known.update);
  }
  return ok("agent", `The agent is ${harness}, ${client.name} ${version}.`);
}

const SUPPORTED: Readonly<Record<string, { readonly from: string; readonly update: string }>> = {
  "claude-code": { from: "2.0.0", update: "npm install -g @anthropic-ai/claude-code@latest" },
  codex: { from: "0.100.0", update: "npm install -g @openai/codex@latest" },
};

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
