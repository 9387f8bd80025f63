import { readFile } from "node:fs/promises";
import type { Summary } from "../../src/domain/summary.ts";
import { readTrend } from "../../src/store/trend.ts";
import { type TempTree, tempTree } from "./temp-tree.ts";

export const SKILL = (body: string) => `---\nname: greeter\ndescription: Greets people.\n---\n\n${body}\n`;
export const BENCH = ["bench", "skills/greeter", "--harness", "scripted", "--script", "script.json"];

/** A skill with so many cases that each ask for a "Hello" in the answer. */
export async function greeters(
  cases: number,
  replies: readonly object[],
  extra: Readonly<Record<string, string>> = {},
): Promise<TempTree> {
  const evals = Array.from({ length: cases }, (_, at) => ({
    id: at + 1,
    prompt: `Greet number ${at + 1}.`,
    assay: { checks: [{ type: "contains", needle: "Hello" }] },
  }));
  return tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": SKILL("Say Hello."),
    "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
    "script.json": JSON.stringify({ replies }),
    ...extra,
  });
}

export const HELLO = [{ skill: "greeter" }, { text: "Hello" }];
export const HELPS = [{ when: { skill: true }, steps: HELLO }, { steps: [{ text: "Bye" }] }];
export const HURTS = [
  { when: { skill: true }, steps: [{ skill: "greeter" }, { text: "Bye" }] },
  { steps: [{ text: "Hello" }] },
];
/** Says what the installed skill says. */
export const OBEYS = [
  {
    steps: [
      { skill: "greeter" },
      { bash: "tail -n 1 .claude/skills/greeter/SKILL.md > said.txt" },
      { text: "Done" },
    ],
  },
];

export async function json<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8")) as T;
}

/** What the files say of an iteration of the greeter. */
export async function keptVerdicts(project: TempTree, number: number) {
  const { verdict } = await json<Summary>(project.path(`.assay/greeter/iteration-${number}/summary.json`));
  const lines = await readTrend(project.path(".assay/greeter/trend.jsonl"));
  return { summary: verdict, trend: lines.find(({ iteration }) => iteration === number)?.verdict };
}
