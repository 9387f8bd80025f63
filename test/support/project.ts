import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EvalEvent } from "../../src/domain/event.ts";
import { type TempTree, tempTree } from "./temp-tree.ts";

export interface Step {
  readonly [step: string]: unknown;
}

/** A project with one skill called `greeter`, two cases, and a script for the scripted harness. */
export async function greeterProject(
  replies: readonly { readonly when?: object; readonly steps: readonly Step[] }[],
  extra: Readonly<Record<string, string>> = {},
): Promise<TempTree> {
  return tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
    "skills/greeter/evals/evals.json": JSON.stringify({
      skill_name: "greeter",
      evals: [
        { id: 1, prompt: "Greet Ada", assay: { checks: [{ type: "contains", needle: "Hello Ada" }] } },
        { id: 2, prompt: "Greet Bob", assay: { checks: [{ type: "file_exists", path: "bob.txt" }] } },
      ],
    }),
    "script.json": JSON.stringify({ replies }),
    ...extra,
  });
}

export const GOOD_REPLIES = [
  { when: { prompt: "Ada" }, steps: [{ skill: "greeter" }, { text: "Hello Ada" }] },
  {
    when: { prompt: "Bob" },
    steps: [{ write: { path: "bob.txt", content: "Hello Bob\n" } }, { text: "Done" }],
  },
];

export const RUN = ["run", "skills/greeter", "--harness", "scripted", "--script", "script.json"];

export async function journal(root: string, iteration = 1): Promise<EvalEvent[]> {
  const path = join(root, ".assay", "greeter", `iteration-${iteration}`, "journal.jsonl");
  const text = await readFile(path, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as EvalEvent);
}
