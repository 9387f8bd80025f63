import { type Command, Option } from "commander";
import type { JsonObject } from "../../domain/json.ts";
import { DEFAULT_TRIGGER_THRESHOLD } from "../../domain/triggers.ts";
import type { Selection } from "../../plan/select.ts";
import { textOption } from "../load-options.ts";
import { commaList, positive, shard, share, wholeNumber } from "../numbers.ts";
import { configuredBy } from "../config.ts";
import type { Terminal } from "../terminal.ts";
import { readMcpServers } from "./mcp.ts";

/** What a person said about a run, with what they did not say as null. */
export interface RunOptions {
  readonly harnesses: readonly string[] | null;
  readonly models: readonly string[] | null;
  /** From the configuration: what holds where neither the user nor the eval file says anything. */
  readonly fallback: {
    readonly harness: string | null;
    readonly runs: number | null;
    readonly timeoutSeconds: number | null;
  };
  readonly selection: Selection;
  readonly changed: string | null;
  readonly runs: number | null;
  readonly concurrency: number | null;
  readonly timeoutSeconds: number | null;
  readonly sandbox: string;
  readonly trust: boolean;
  readonly resume: boolean;
  readonly grade: boolean;
  readonly allowMissing: number;
  readonly minPassRate: number | null;
  readonly triggerThreshold: number;
  readonly probe: "intact" | "stub";
  readonly rivals: boolean;
  readonly adaptive: boolean;
  readonly workspace: string | null;
  readonly seed: number;
  readonly maxTurns: number | null;
  readonly permissionMode: string | null;
  readonly allowedTools: readonly string[] | null;
  readonly mcpServers: JsonObject | null;
  readonly agentArgs: readonly string[];
  readonly syncTasks: boolean | null;
  readonly script: string | null;
  readonly command: string | null;
  readonly json: boolean;
  readonly reporters: readonly string[];
}

export function defineRunOptions(command: Command): void {
  command
    .option(
      "--harness <names>",
      "agent to run: auto, claude-code, codex, builtin, command, scripted, classifier; several with commas",
      commaList,
    )
    .option("--model <names>", "model for the agent; several with commas", commaList)
    .addOption(
      new Option("--mode <what>", "tasks, triggers or both")
        .choices(["artifact", "trigger", "both"])
        .default("both"),
    )
    .option("--case <ids>", "only these cases, with commas", commaList)
    .option("--filter <text>", "only cases whose id, name, prompt or checks contain this")
    .option("--shard <i/n>", "only part i of n; even and stable", shard)
    .option("--changed <ref>", "only skills whose files or evals changed since this git ref")
    .option("--runs <n>", "runs per case (default: what the case says, else 1; triggers 3)", wholeNumber(1))
    .option("--concurrency <n>", "trials at once (default: from cores and memory)", wholeNumber(1))
    .option("--timeout <seconds>", "how long an agent may take per trial", positive)
    .option("--sandbox <name>", "auto, bwrap, unshare or none", "auto")
    .option("--trust", "run setup and teardown scripts without asking")
    .option("--resume", "go on with the last iteration instead of starting a new one")
    .option("--no-grade", "only run; grade later with assay grade")
    .option(
      "--allow-missing <n>",
      "left-out trials and unscored checks to bear before exit 3",
      wholeNumber(0),
      0,
    )
    .option("--min-pass-rate <share>", "ask for this share of checks per run instead of all", share)
    .option(
      "--trigger-threshold <share>",
      "share of runs from which on a query counts as firing",
      share,
      DEFAULT_TRIGGER_THRESHOLD,
    )
    .addOption(
      new Option(
        "--probe <body>",
        "what trigger queries install: the skill as it is, or its frontmatter alone",
      )
        .choices(["intact", "stub"])
        .default("intact"),
    )
    .option("--rivals", "stage the project's other skills beside the one that trigger queries ask about")
    .option("--adaptive", "repeat a trigger query only while its verdict is open")
    .option("--workspace <dir>", "where results go (default: .assay in the project)")
    .option("--seed <n>", "fixes order and sides", wholeNumber(0), 1)
    .option("--max-turns <n>", "stop the agent after this many turns", wholeNumber(1))
    .option("--permission-mode <mode>", "the client's permission mode (default: everything allowed)")
    .option("--allowed-tools <names>", "tools the agent may use, with commas", commaList)
    .option("--mcp <file>", "MCP servers for the agent (default: none)")
    .option("--agent-arg <arg>", "a further argument for the agent program; repeatable", collect, [])
    .option("--sync-tasks", "make background sub-agents run synchronously")
    .option("--script <file>", "what the scripted harness plays")
    .option("--command <program>", "what the command harness calls")
    .option("--reporter <names>", "terminal, json, junit; with commas; NAME=FILE writes a file", commaList, [
      "terminal",
    ])
    .option("--config <file>", "settings (default: assay.config.json or .yaml of the project)")
    .option("--json", "print only the summary, as JSON");
}

export async function readRunOptions(
  raw: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<RunOptions> {
  const { env } = terminal;
  const configured = configuredBy(raw);
  const list = (name: string, variable: string) =>
    (raw[name] as string[] | undefined) ?? envList(env[variable]);
  return {
    harnesses: list("harness", "ASSAY_HARNESS") ?? envList(env["CLAUDITOR_HARNESS"]),
    models: list("model", "ASSAY_MODEL") ?? envList(configured.model ?? undefined),
    fallback: { harness: configured.harness, runs: configured.runs, timeoutSeconds: configured.timeout },
    selection: {
      mode: raw["mode"] as Selection["mode"],
      cases: (raw["case"] as string[] | undefined) ?? [],
      filter: textOption(raw["filter"]),
      shard: (raw["shard"] as Selection["shard"] | undefined) ?? null,
    },
    changed: textOption(raw["changed"]),
    runs: numberOption(raw["runs"]),
    concurrency: numberOption(raw["concurrency"]),
    timeoutSeconds: numberOption(raw["timeout"]),
    sandbox: String(raw["sandbox"]),
    trust: raw["trust"] === true,
    resume: raw["resume"] === true,
    grade: raw["grade"] !== false,
    allowMissing: numberOption(raw["allowMissing"]) ?? 0,
    minPassRate: numberOption(raw["minPassRate"]),
    triggerThreshold: numberOption(raw["triggerThreshold"]) ?? DEFAULT_TRIGGER_THRESHOLD,
    probe: raw["probe"] === "stub" ? "stub" : "intact",
    rivals: raw["rivals"] === true,
    adaptive: raw["adaptive"] === true,
    workspace: textOption(raw["workspace"]) ?? textOption(env["ASSAY_WORKSPACE"]),
    seed: numberOption(raw["seed"]) ?? 1,
    maxTurns: numberOption(raw["maxTurns"]),
    permissionMode: textOption(raw["permissionMode"]),
    allowedTools: (raw["allowedTools"] as string[] | undefined) ?? null,
    mcpServers: await readMcpServers(textOption(raw["mcp"]), terminal),
    agentArgs: raw["agentArg"] as string[],
    syncTasks: raw["syncTasks"] === true ? true : null,
    script: textOption(raw["script"]),
    command: textOption(raw["command"]),
    json: raw["json"] === true,
    reporters: raw["json"] === true ? ["json"] : (raw["reporter"] as string[]),
  };
}

function numberOption(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function envList(value: string | undefined): string[] | null {
  return value === undefined || value.trim() === "" ? null : commaList(value);
}

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
