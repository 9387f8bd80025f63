import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { TempTree } from "../support/temp-tree.ts";
import { openPane, type Pane } from "./tmux.ts";

export interface PaneSize {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

interface AssayPane extends PaneSize {
  /** The built command. */
  readonly command: string;
  /** Said with every command. */
  readonly flags: string;
}

/** A stranger's terminal in the project, with a clean HOME, in which `assay` is the command and says how it exits. */
export async function assayPane(
  tree: TempTree,
  { command, flags, columns = 80, rows = 24, env = {} }: AssayPane,
): Promise<Pane> {
  const home = tree.path("home");
  await mkdir(home, { recursive: true });
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`;
  const pane = await openPane({
    columns,
    rows,
    cwd: tree.root,
    env: { PATH: path, HOME: home, HISTFILE: "/dev/null" },
  });
  // For the command alone: what the shell was started with, agents without a sandbox can read.
  const set = Object.entries(env).map(([name, value]) => `${name}='${value}' `);
  await pane.type(`assay() { ${set.join("")}node ${command} "$@" ${flags}; echo "exit $?"; }; clear`);
  await pane.until((seen) => seen === ">", "a clean screen");
  return pane;
}
