import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Everything a reader may copy commands from. */
export const PAGES: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "examples/README.md",
  "examples/library/README.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".md") && !/^docs\/(?:design|reference)\//.test(name))
    .toSorted(),
];

/** Commands that a page prints. */
export interface ShellBlock {
  readonly page: string;
  /** Counts from 1. */
  readonly line: number;
  readonly text: string;
  /** What it takes that a test does not have, as the reader sees it: its first line, `# needs …`. Null: it runs as printed. */
  readonly needs: string | null;
}

export function shellBlocks(page: string): readonly ShellBlock[] {
  const source = readFileSync(join(ROOT, page), "utf8");
  return [...source.matchAll(/^```(?:sh|bash|shell)\n([\s\S]*?)^```$/gm)].map((match) => {
    const text = match[1] ?? "";
    const line = source.slice(0, match.index).split("\n").length + 1;
    return { page, line, text, needs: /^# needs (.+)/.exec(text)?.[1] ?? null };
  });
}

/** Lines outside of fences that look like commands: nobody would run them. */
export function strayCommands(page: string): readonly string[] {
  const source = readFileSync(join(ROOT, page), "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
  return (source.match(/^ {4}(?:assay|npx|npm|git|cd|[A-Z_]+=\S+ \w+) .*$/gm) ?? []).filter(
    (line) => !RUN_BY_CI.test(line),
  );
}

/** What a newcomer types first is what `.ci/run` does. */
const RUN_BY_CI = /^ {4}npm install && npm (?:run demo|test)\b/;
