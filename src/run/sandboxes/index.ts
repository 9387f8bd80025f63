import type { Sandbox } from "../sandbox.ts";
import { bwrap, type BwrapOptions } from "./bwrap.ts";
import { none } from "./none.ts";
import { sandboxRuntime } from "./sandbox-runtime.ts";
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
    help: "bubblewrap: separate processes, a read-only system, none of your files",
    create: (options) => bwrap(options),
  },
  {
    name: "sandbox-runtime",
    help: "Anthropic's sandbox-runtime, if installed: homes, temporary files and the project hidden",
    create: (options) => sandboxRuntime(options),
  },
  {
    name: "unshare",
    help: "util-linux: separate processes, but your files can be read",
    create: ({ limits }) => unshare(limits === undefined ? {} : { limits }),
  },
  { name: "none", help: "no sandbox: agents can read and change your files", create: () => none() },
];
