import { dirname } from "node:path";
import type { Harness } from "../harness.ts";
import { runLineAgent } from "../line-agent/line-agent.ts";

export interface ScriptedOptions {
  /** Absolute path of the program that plays scripts. */
  readonly player: string;
  /** Absolute path of the script, as JSON. */
  readonly script: string;
  /** Absolute path of the Node that plays it. */
  readonly node: string;
}

/** No model at all: plays a script, really writing its files and running its commands. For tests and the demo. */
export function scriptedHarness({ player, script, node }: ScriptedOptions): Harness {
  return {
    name: "scripted",
    skillsFolder: ".claude/skills",
    find: async () => ({
      name: "scripted",
      version: null,
      readable: [dirname(player), dirname(script), dirname(node)],
    }),
    run: (request, context) =>
      runLineAgent({ program: node, args: [player], env: { ASSAY_SCRIPT_FILE: script } }, request, context),
  };
}
