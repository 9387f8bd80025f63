import type { Command } from "commander";
import type { Machine } from "../machine.ts";
import type { Config } from "../operations/config.ts";
import type { Given, Table } from "../operations/options.ts";
import type { Terminal } from "./terminal.ts";

/** One command: its words on the command line, and what it does with them. */
export interface CliCommand {
  /** Adds arguments, options and examples. */
  readonly define: (command: Command) => void;
  /** Answers the exit code. */
  readonly run: (call: CommandCall) => Promise<number>;
}

export interface CommandCall {
  /** As typed, with the command's name first. */
  readonly words: readonly string[];
  /** Positional arguments as commander gives them. */
  readonly args: readonly unknown[];
  /** The flags that only the command line knows, such as `--json`, as commander gives them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What the user said of an operation's options. */
  readonly given: <T extends Table>(table: T) => Given<T>;
  readonly terminal: Terminal;
  readonly machine: Machine;
  /** The configuration that was named with `--config`, else the project's. */
  readonly config: () => Promise<Config>;
}
