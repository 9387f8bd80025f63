import { bwrap, type BwrapOptions } from "./bwrap.ts";
import { none } from "./none.ts";
import { unshare } from "./unshare.ts";
import type { Sandbox } from "../sandbox.ts";

/** Best first. */
export const sandboxes: readonly {
  readonly name: string;
  readonly create: (options: BwrapOptions) => Sandbox;
}[] = [
  { name: "bwrap", create: (options) => bwrap(options) },
  { name: "unshare", create: () => unshare() },
  { name: "none", create: () => none() },
];
