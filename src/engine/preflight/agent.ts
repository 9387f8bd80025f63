import { type Finding, noted, ok } from "./finding.ts";

/** Is this a version of the client that Assay was tried with? Harnesses without such a client are always fine. */
export function agentFinding(
  harness: string,
  { name, version }: { readonly name: string; readonly version: string | null },
): Finding {
  const known = TESTED[harness];
  if (known === undefined) return ok("agent", `The agent is ${harness}.`);
  if (version === null)
    return noted("agent", `${name} --version shows no version number.`, `run ${name} --version to see why`);
  const [oldest = version] = known.versions;
  const newest = known.versions.at(-1) ?? version;
  const untried = isOlder(newest, version) ? ` (tested up to ${newest})` : "";
  if (!isOlder(version, oldest)) return ok("agent", `The agent is ${harness}, ${name} ${version}${untried}.`);
  return noted(
    "agent",
    `${name} ${version} is older than ${oldest}, the oldest version that Assay is tested with.`,
    known.update,
  );
}

/** The versions that Assay's own tests have driven, oldest first. Others may work: nothing is refused for its version. */
export const TESTED: Readonly<
  Record<string, { readonly versions: readonly string[]; readonly update: string }>
> = {
  "claude-code": {
    versions: ["2.1.197", "2.1.325"],
    update: "npm install -g @anthropic-ai/claude-code@latest",
  },
  codex: { versions: ["0.166.0"], update: "npm install -g @openai/codex@latest" },
  qwen: { versions: ["0.15.10"], update: "npm install -g @qwen-code/qwen-code@latest" },
  gemini: { versions: ["0.61.0"], update: "npm install -g @google/gemini-cli@latest" },
};

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
