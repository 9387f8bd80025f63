import { execFileSync } from "node:child_process";
import type { Json } from "../../src/domain/json.ts";
import type { Wording } from "../../src/grade/judge.ts";
import { comparisonReplyOf, shownOutputs } from "../support/comparing.ts";
import { type StandIns, standInConfig } from "../support/stand-in.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

/** A committed skill whose drafts only count up; what that does to the agent is up to the test. */
export async function countingProject(cases: number, agent: Omit<StandIns, "model">): Promise<TempTree> {
  const tree = await tempTree({
    "assay.config.mjs": standInConfig(crypto.randomUUID(), { ...agent, model }),
    ".gitignore": ".assay/\n",
    "writer/SKILL.md": "---\nname: writer\ndescription: Writes.\n---\n\nWrite. Draft 0.\n",
    "writer/evals/evals.json": JSON.stringify(evalsOf(cases)),
  });
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "start"],
  ])
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: tree.root });
  return tree;
}

function evalsOf(cases: number): Json {
  const checks = ["alpha", "beta"].map((needle) => ({ type: "contains", needle }));
  const evals = Array.from({ length: cases }, (_, index) => ({
    id: index + 1,
    prompt: `Write ${index + 1}`,
    assay: { checks },
  }));
  return { skill_name: "writer", evals };
}

/** Drafts by counting up, prefers an output that says "short", and has nothing to explain. */
function model(question: Wording): Json {
  const { system, parts } = question;
  if (system.includes("You compare two outputs")) {
    const [one, two] = shownOutputs(question).map((text) => (text.includes("short") ? 5 : 4));
    return comparisonReplyOf(one ?? 4, two ?? 4);
  }
  if (system.includes("You explain why two versions")) return NOTHING_TO_EXPLAIN;
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
  const [draft = "Draft 0."] = /Draft \d+\./.exec(text) ?? [];
  const [failing = ""] = /\d\/contains:\w+/.exec(text) ?? [];
  const tried = [...text.matchAll(/Draft (\d+)\./g)].map(([, number]) => Number(number));
  const edit = { anchor: draft, replacement: `Draft ${Math.max(...tried) + 1}.`, rationale: "It may help." };
  return { summary: "Count up.", edits: [{ ...edit, motivated_by: [failing] }] };
}

const NOTHING_TO_EXPLAIN: Json = {
  execution_pattern: { run_1: "wrote", run_2: "wrote" },
  instruction_following: { run_1: { issues: [], score: 5 }, run_2: { issues: [], score: 5 } },
  strengths: [],
  weaknesses: [],
  suggestions: [],
};
