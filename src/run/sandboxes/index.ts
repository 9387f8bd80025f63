import type { Sandbox } from "../sandbox.ts";
import { bwrap, type BwrapOptions } from "./bwrap.ts";
import { none } from "./none.ts";
import { unshare } from "./unshare.ts";

export interface NamedSandbox {
  readonly name: string;
  /** One line for help and docs. */
  readonly help: string;
  readonly create: (options: BwrapOptions) => Sandbox;
}

/** Every sandbox that `--sandbox` knows, best first. */
export const sandboxes: readonly NamedSandbox[] = [
  {
    name: "bwrap",
    help: "bubblewrap: own processes, a read-only system, nothing of your files",
    create: (options) => bwrap(options),
  },
  {
    name: "unshare",
    help: "util-linux: own processes, but your files can be read",
    create: () => unshare(),
  },
  { name: "none", help: "no sandbox: agents can read and change your files", create: () => none() },
];
