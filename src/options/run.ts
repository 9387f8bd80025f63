import { DEFAULT_TRIGGER_THRESHOLD } from "../domain/triggers.ts";
import { choice, flag, names, positive, share, shard, text, texts, wholeNumber } from "./kind.ts";
import { option, optionOr } from "./table.ts";
import { PLACE, STRICT, TARGETS } from "./targets.ts";

const MODE_SYNONYMS = {
  artifacts: "artifact",
  task: "artifact",
  tasks: "artifact",
  triggers: "trigger",
  all: "both",
} as const;

/** Which trials, on which agents. */
export const SELECTION = {
  harnesses: option("--harness <names>", names, "agent to run; several with commas", {
    env: ["ASSAY_HARNESS", "CLAUDITOR_HARNESS"],
  }),
  models: option("--model <names>", names, "model for the agent; several with commas", {
    env: ["ASSAY_MODEL"],
  }),
  mode: optionOr(
    "--mode <what>",
    { kind: choice(["artifact", "trigger", "both"], MODE_SYNONYMS), otherwise: "both" },
    "which cases to run: tasks (artifact), trigger queries (trigger) or both",
  ),
  cases: optionOr("--case <ids>", { kind: names, otherwise: [] }, "only these cases, with commas"),
  filter: option("--filter <text>", text, "only cases whose id, name, prompt or checks contain this"),
  shard: option("--shard <i/n>", shard, "only part i of n; even and stable"),
  changed: option("--changed <ref>", text, "only skills whose files or evals changed since this git ref"),
  runs: option(
    "--runs <n>",
    wholeNumber(1),
    "runs per case (default: what the case says, else 1; triggers 3)",
  ),
  concurrency: option(
    "--concurrency <n>",
    wholeNumber(1),
    "trials at once (default: from cores and memory)",
    { config: "concurrency" },
  ),
};

/** How each trial is run and held to account. */
export const RUNNING = {
  timeoutSeconds: option("--timeout <seconds>", positive, "how long an agent may take per trial"),
  sandbox: optionOr(
    "--sandbox <name>",
    { kind: text, otherwise: "auto" },
    "where agents run; auto is the best that works here",
    { env: ["ASSAY_SANDBOX"], config: "sandbox" },
  ),
  include: optionOr(
    "--include <glob>",
    { kind: texts, otherwise: [] },
    "stage these files of the project although git ignores them, e.g. _bmad/; repeatable",
    { repeatable: true },
  ),
  trust: optionOr(
    "--trust",
    { kind: flag, otherwise: false },
    "run setup and teardown scripts without asking",
    { config: "trust" },
  ),
  resume: optionOr(
    "--resume",
    { kind: flag, otherwise: false },
    "continue the last iteration; what changed since runs again",
  ),
  retryErrors: optionOr(
    "--retry-errors",
    { kind: flag, otherwise: false },
    "run only what the last iteration left out",
  ),
  affected: optionOr(
    "--affected",
    { kind: flag, otherwise: false },
    "run only what your changes can touch; take the rest over from the last complete iteration",
  ),
  yes: optionOr(
    "-y, --yes",
    { kind: flag, otherwise: false },
    "repeat paid runs with --resume without asking",
  ),
  grade: optionOr("--no-grade", { kind: flag, otherwise: true }, "only run; grade later with assay grade"),
  allowMissing: optionOr(
    "--allow-missing <n>",
    { kind: wholeNumber(0), otherwise: 0 },
    "how many missing results to tolerate before exit 3",
    { config: "allow_missing" },
  ),
  minPassRate: option(
    "--min-pass-rate <share>",
    share,
    "ask for this share of checks per run instead of all",
    { config: "min_pass_rate" },
  ),
  triggerThreshold: optionOr(
    "--trigger-threshold <share>",
    { kind: share, otherwise: DEFAULT_TRIGGER_THRESHOLD },
    "share of runs that must fire",
  ),
  probe: optionOr(
    "--probe <body>",
    { kind: choice(["intact", "stub"]), otherwise: "intact" },
    "what trigger queries install: the skill as it is, or its frontmatter alone",
  ),
  rivals: optionOr(
    "--rivals",
    { kind: flag, otherwise: false },
    "stage the project's other skills beside the one that trigger queries ask about",
  ),
  adaptive: optionOr(
    "--adaptive",
    { kind: flag, otherwise: false },
    "repeat a trigger query only while its verdict is open",
  ),
  seed: optionOr("--seed <n>", { kind: wholeNumber(0), otherwise: 1 }, "fixes order and sides"),
};

/** What the agent program is given. */
export const AGENT = {
  maxTurns: option("--max-turns <n>", wholeNumber(1), "stop the agent after this many turns"),
  permissionMode: option(
    "--permission-mode <mode>",
    text,
    "the client's permission mode (default: everything allowed)",
  ),
  allowedTools: option("--allowed-tools <names>", texts, "tools the agent may use, with commas"),
  mcp: option("--mcp <file>", text, "MCP servers for the agent (default: none)"),
  agentArgs: optionOr(
    "--agent-arg <arg>",
    { kind: texts, otherwise: [] },
    "a further argument for the agent program; repeatable",
    { repeatable: true },
  ),
  syncTasks: option("--sync-tasks", flag, "make background sub-agents run synchronously"),
  script: option("--script <file>", text, "what the scripted harness plays", { config: "script" }),
  command: option("--command <program>", text, "what the command harness calls", { config: "command" }),
};

export const RUN = { ...TARGETS, ...SELECTION, ...PLACE, ...RUNNING, ...AGENT, ...STRICT };
