import { homedir } from "node:os";
import { type Command, Option } from "commander";
import type { Profile } from "../../load/lint/rules.ts";
import type { LoadOptions } from "../../load/load.ts";
import type { Terminal } from "../terminal.ts";

/** The options that say which files a command is about. */
export function defineTargets(command: Command): void {
  command
    .argument(
      "[target...]",
      "skill, SKILL.md, eval file, evals directory, Skillet name, or a directory with skills in it (default: here)",
    )
    .option("--evals <path>", "use this eval file or directory instead of what would be found")
    .option("--skill <path>", "test this skill instead of what would be found");
}

export function strictOption(): Option {
  return new Option("--strict", "treat notes as errors");
}

export function loadOptions(
  options: Readonly<Record<string, unknown>>,
  terminal: Terminal,
  lint: Profile | null,
): LoadOptions {
  return {
    cwd: terminal.cwd,
    evals: textOption(options["evals"]),
    skill: textOption(options["skill"]),
    skilletDir: textOption(terminal.env["SKILLET_DIR"]),
    home: textOption(terminal.env["HOME"]) ?? homedir(),
    lint,
  };
}

/** Absent and empty both mean "not given". */
export function textOption(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}
