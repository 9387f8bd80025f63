import { chmod, readFile } from "node:fs/promises";
import type { EvalEvent, EventOf } from "../../src/domain/event.ts";
import { assay, type CommandOutcome } from "./command-line.ts";
import { type TempTree, tempTree } from "./temp-tree.ts";

/** Answers by a word in the query; the canary is the one that names the skill. */
const AGENT = `#!/bin/bash
query=$(cat)
fire() { echo '{"type":"skill","name":"'"$1"'","by":"tool"}'; }
list() { ls .claude/skills 2>/dev/null | sed 's/.*/"&"/' | paste -sd,; }
echo '{"type":"session","skills":['"$(list)"']}'
case "$query" in
`;

interface Setup {
  readonly queries: readonly object[];
  /** Arms of a case statement of bash. */
  readonly arms: string;
  readonly files?: Readonly<Record<string, string>>;
}

export const FIRE_CANARY = `*"Use the skill"*) fire "$ASSAY_SKILL" ;;`;
export const SHOULD = { query: "please greet Ada", should_trigger: true };
export const SHOULD_NOT = { query: "please add two numbers", should_trigger: false };

export async function triggerProject({ queries, arms, files = {} }: Setup): Promise<TempTree> {
  const tree = await tempTree({
    "assay.config.json": "{}",
    "skills/greeter/SKILL.md":
      "---\nname: greeter\ndescription: >-\n  Greets people\n  by name.\n---\n\nSay hello.\n",
    "skills/greeter/reference.md": "Many greetings.\n",
    "skills/greeter/evals/trigger-eval.json": JSON.stringify(queries),
    "agent.sh": `${AGENT}${arms}\n*) echo "nothing to do" ;;\nesac\n`,
    ...files,
  });
  await chmod(tree.path("agent.sh"), 0o755);
  return tree;
}

export async function run(tree: TempTree, ...args: readonly string[]): Promise<CommandOutcome> {
  return runWith(tree, {}, args);
}

export async function runWith(
  tree: TempTree,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<CommandOutcome> {
  const command = ["run", "skills/greeter", "--harness", "command", "--command", tree.path("agent.sh")];
  return assay([...command, "--sandbox", "none", ...args], { cwd: tree.root, env });
}

export async function result<T>(tree: TempTree, name: string, iteration = 1): Promise<T> {
  const path = tree.path(`.assay/greeter/iteration-${iteration}/${name}`);
  return JSON.parse(await readFile(path, "utf8")) as T;
}

export async function journal(tree: TempTree): Promise<EvalEvent[]> {
  const text = await readFile(tree.path(".assay/greeter/iteration-1/journal.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as EvalEvent);
}

export async function finished(tree: TempTree): Promise<EventOf<"trial-finished">[]> {
  return (await journal(tree)).filter((event) => event.kind === "trial-finished");
}
