import { readdir, readFile } from "node:fs/promises";
import type { Iteration } from "../../src/domain/iteration.ts";
import type { CellRun } from "./cell.ts";

/** What became of a cell, as a reader of the table needs it. */
export async function outcomeOf({ exitCode, err, project }: CellRun): Promise<string> {
  if (exitCode === 2) return `refused: ${firstError(err)}`;
  const judge = await judgeIn(project.path(".assay/greeter/iteration-1/run.json"));
  if (exitCode === 0) return `runs; judged by ${judge}`;
  return `exit ${exitCode}; judged by ${judge}`;
}

/** Iterations that a call left behind. */
export async function iterationsIn({ project }: CellRun): Promise<readonly string[]> {
  const names = await readdir(project.path(".assay/greeter")).catch(() => []);
  return names.filter((name) => name.startsWith("iteration-"));
}

export function firstError(err: string): string {
  const line = err.split("\n").find((text) => text.startsWith("error: ")) ?? err;
  return line
    .replace(/^error: /, "")
    .replace(/ \[[a-z/-]+\]$/, "")
    .trim();
}

async function judgeIn(manifest: string): Promise<string> {
  const { judge } = JSON.parse(await readFile(manifest, "utf8")) as Iteration;
  return judge === null ? "nobody" : (NAMES[judge.provider] ?? judge.provider);
}

const NAMES: Readonly<Record<string, string>> = {
  anthropic: "Anthropic's API",
  openai: "OpenAI's API",
  "claude-cli": "`claude`",
  "codex-cli": "`codex`",
};
