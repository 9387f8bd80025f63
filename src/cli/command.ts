import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";

/** One command: its words on the command line, and what it does with them. */
export interface CliCommand {
  /** Adds arguments, options and examples. */
  readonly define: (command: Command) => void;
  /** Answers the exit code. */
  readonly run: (call: CommandCall) => Promise<number>;
}

export interface CommandCall {
  /** Positional arguments as commander gives them. */
  readonly args: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly terminal: Terminal;
}
