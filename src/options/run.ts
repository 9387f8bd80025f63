import { DEFAULT_LIMITS, limitsText } from "../domain/limits.ts";
import { DEFAULT_MAX_TRIGGER_RUNS, DEFAULT_TRIGGER_THRESHOLD } from "../domain/triggers.ts";
import {
  choice,
  flag,
  hosts,
  limits,
  names,
  positive,
  share,
  shard,
  text,
  texts,
  wholeNumber,
} from "./kind.ts";
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
  harnesses: option("--harness <names>", names, "agent to run; comma-separated for several", {
    env: ["ASSAY_HARNESS", "CLAUDITOR_HARNESS"],
  }),
  models: option("--model <names>", names, "model for the agent; comma-separated for several", {
    env: ["ASSAY_MODEL"],
  }),
  mode: optionOr(
    "--mode <what>",
    { kind: choice(["artifact", "trigger", "both"], MODE_SYNONYMS), otherwise: "both" },
    "which cases to run: tasks (artifact), trigger queries (trigger) or both",
  ),
  cases: optionOr("--case <ids>", { kind: names, otherwise: [] }, "only these cases (comma-separated)"),
  filter: option("--filter <text>", text, "only cases whose id, name, prompt or checks contain this", {
    short: "-k",
  }),
  shard: option("--shard <i/n>", shard, "only part i of n: a stable, even split"),
  changed: option("--changed <ref>", text, "only skills whose files or evals changed since this git ref"),
  runs: option(
    "--runs <n>",
    wholeNumber(1),
    "runs per case (default: the case's own, or 1; trigger queries 3)",
    { short: "-n" },
  ),
  concurrency: option("--concurrency <n>", wholeNumber(1), "trials at once (default: by cores and memory)", {
    config: "concurrency",
    short: "-j",
  }),
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
  network: optionOr(
    "--network <how>",
    { kind: choice(["auto", "host", "gateway", "none"]), otherwise: "auto" },
    "what agents can reach: everything (host), only their model (gateway) or nothing (none)",
    { env: ["ASSAY_NETWORK"], config: "network" },
  ),
  allowHosts: optionOr(
    "--allow-host <names>",
    { kind: hosts, otherwise: [] },
    "hosts that agents reach beside their model, through a proxy: example.com, example.com:8443, or claude or codex for their vendor's; repeatable",
    { env: ["ASSAY_ALLOW_HOST"], config: "allow_host", repeatable: true },
  ),
  limits: option(
    "--limits <list>",
    limits,
    `the most a trial may use of memory, processes, disk, output and open files (default: ${limitsText(DEFAULT_LIMITS)})`,
    { env: ["ASSAY_LIMITS"], config: "limits" },
  ),
  include: optionOr(
    "--include <glob>",
    { kind: texts, otherwise: [] },
    "copy these files into workspaces although git ignores them, e.g. _bmad/; repeatable",
    { repeatable: true },
  ),
  trust: optionOr(
    "--trust",
    { kind: flag, otherwise: false },
    "run setup and teardown scripts, shell checks and high-risk skills without asking",
    { config: "trust" },
  ),
  resume: optionOr(
    "--resume",
    { kind: flag, otherwise: false },
    "continue the last iteration; what changed since then runs again",
  ),
  retryErrors: optionOr(
    "--retry-errors",
    { kind: flag, otherwise: false },
    "run only what the last iteration left out",
  ),
  affected: optionOr(
    "--affected",
    { kind: flag, otherwise: false },
    "run only what your changes can affect; reuse the rest from earlier iterations",
  ),
  yes: optionOr("--yes", { kind: flag, otherwise: false }, "repeat paid runs with --resume without asking", {
    short: "-y",
  }),
  grade: optionOr("--no-grade", { kind: flag, otherwise: true }, "only run; grade later with assay grade"),
  allowMissing: optionOr(
    "--allow-missing <n>",
    { kind: wholeNumber(0), otherwise: 0 },
    "how many missing results to tolerate before exit 3",
    { config: "allow_missing" },
  ),
  minPassRate: option("--min-pass-rate <share>", share, "share of checks a run must pass (default: all)", {
    config: "min_pass_rate",
  }),
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
    "install the project's other skills too, for trigger queries",
  ),
  maxRuns: optionOr(
    "--max-runs <n>",
    { kind: wholeNumber(1), otherwise: DEFAULT_MAX_TRIGGER_RUNS },
    "repeat a trigger query that chance may have decided, up to this many runs",
  ),
  adaptive: optionOr(
    "--adaptive",
    { kind: flag, otherwise: false },
    "start trigger queries with as few runs as may settle them; --runs is the maximum",
  ),
  seed: optionOr(
    "--seed <n>",
    { kind: wholeNumber(0), otherwise: 1 },
    "seed for the order of trials, and for who is A or B",
  ),
};

/** What only a plain run can be told: to look at less, or to stop early. */
export const SHORTER = {
  lastFailed: optionOr(
    "--last-failed",
    { kind: flag, otherwise: false },
    "only cases that failed, or gave no result, in the last iteration",
  ),
  failFast: optionOr(
    "--fail-fast",
    { kind: flag, otherwise: false },
    "start no new trials once a case has failed; running ones finish",
  ),
};

/** What the agent program is given. */
export const AGENT = {
  maxTurns: option("--max-turns <n>", wholeNumber(1), "stop the agent after this many turns"),
  permissionMode: option(
    "--permission-mode <mode>",
    text,
    "the client's permission mode (default: everything allowed)",
  ),
  allowedTools: option("--allowed-tools <names>", texts, "tools the agent may use (comma-separated)"),
  mcp: option("--mcp <file>", text, "MCP servers for the agent (default: none)"),
  agentArgs: optionOr(
    "--agent-arg <arg>",
    { kind: texts, otherwise: [] },
    "extra argument for the agent program; repeatable",
    { repeatable: true },
  ),
  syncTasks: option("--sync-tasks", flag, "make background sub-agents run synchronously"),
  script: option("--script <file>", text, "what --harness scripted plays", { config: "script" }),
  command: option("--command <program>", text, "the program that --harness command calls", {
    config: "command",
  }),
};

export const RUN = { ...TARGETS, ...SELECTION, ...PLACE, ...RUNNING, ...AGENT, ...STRICT };
