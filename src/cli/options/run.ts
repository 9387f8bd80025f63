import { type Command, Option } from "commander";
import type { JsonObject } from "../../domain/json.ts";
import { DEFAULT_TRIGGER_THRESHOLD } from "../../domain/triggers.ts";
import { textOption } from "./targets.ts";
import { commaList, numberOption, positive, share, wholeNumber } from "./numbers.ts";
import type { Terminal } from "../terminal.ts";
import { readMcpServers } from "../../engine/mcp.ts";
import { defineWhatToRun, readWhatToRun, type WhatToRun } from "./what-to-run.ts";

/** What a person said about a run, with what they did not say as null. */
export interface RunOptions extends WhatToRun {
  readonly timeoutSeconds: number | null;
  readonly sandbox: string;
  readonly trust: boolean;
  readonly resume: boolean;
  /** Everything models say is played back. */
  readonly replay: boolean;
  readonly grade: boolean;
  readonly allowMissing: number;
  readonly minPassRate: number | null;
  readonly triggerThreshold: number;
  readonly probe: "intact" | "stub";
  readonly rivals: boolean;
  readonly adaptive: boolean;
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
  defineWhatToRun(command);
  command
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
    .option("--json", "print only the summary, as JSON");
}

export async function readRunOptions(
  raw: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<RunOptions> {
  return {
    ...readWhatToRun(raw, terminal),
    timeoutSeconds: numberOption(raw["timeout"]),
    sandbox: String(raw["sandbox"]),
    trust: raw["trust"] === true,
    resume: raw["resume"] === true,
    replay: raw["replay"] === "only",
    grade: raw["grade"] !== false,
    allowMissing: numberOption(raw["allowMissing"]) ?? 0,
    minPassRate: numberOption(raw["minPassRate"]),
    triggerThreshold: numberOption(raw["triggerThreshold"]) ?? DEFAULT_TRIGGER_THRESHOLD,
    probe: raw["probe"] === "stub" ? "stub" : "intact",
    rivals: raw["rivals"] === true,
    adaptive: raw["adaptive"] === true,
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

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
