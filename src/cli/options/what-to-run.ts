import { type Command, Option } from "commander";
import type { Selection } from "../../plan/select.ts";
import { configuredBy } from "../../engine/config.ts";
import { textOption } from "./targets.ts";
import { commaList, names, numberOption, shard, wholeNumber } from "./numbers.ts";
import type { Terminal } from "../terminal.ts";

/** Which trials, on which agents; what `assay list` needs to know too. */
export interface WhatToRun {
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
  readonly workspace: string | null;
}

export function defineWhatToRun(command: Command): void {
  command
    .option(
      "--harness <names>",
      "agent to run: auto, claude-code, codex, builtin, command, scripted, classifier; several with commas",
      names,
    )
    .option("--model <names>", "model for the agent; several with commas", names)
    .addOption(
      new Option("--mode <what>", "tasks, triggers or both")
        .choices(["artifact", "trigger", "both"])
        .default("both"),
    )
    .option("--case <ids>", "only these cases, with commas", names)
    .option("--filter <text>", "only cases whose id, name, prompt or checks contain this")
    .option("--shard <i/n>", "only part i of n; even and stable", shard)
    .option("--changed <ref>", "only skills whose files or evals changed since this git ref")
    .option("--runs <n>", "runs per case (default: what the case says, else 1; triggers 3)", wholeNumber(1))
    .option("--concurrency <n>", "trials at once (default: from cores and memory)", wholeNumber(1))
    .option("--workspace <dir>", "where results go (default: .assay of the project you are in)")
    .option("--config <file>", "settings (default: assay.config.json or .yaml of the project)");
}

export function readWhatToRun(raw: Readonly<Record<string, unknown>>, { env }: Terminal): WhatToRun {
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
    workspace: textOption(raw["workspace"]) ?? textOption(env["ASSAY_WORKSPACE"]),
  };
}

function envList(value: string | undefined): string[] | null {
  return value === undefined || value.trim() === "" ? null : commaList(value);
}
