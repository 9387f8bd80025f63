import { dirname } from "node:path";
import type { Harness } from "../harness.ts";
import { runLineAgent } from "../line-agent/line-agent.ts";

export interface ScriptedOptions {
  /** Absolute path of the program that plays scripts. */
  readonly player: string;
  /** What to play, as JSON: the player needs nothing but Node. */
  readonly script: string;
  /** Absolute path of the Node that plays it. */
  readonly node: string;
}

/** No model at all: plays a script, really writing its files and running its commands. For tests and the demo. */
export function scriptedHarness({ player, script, node }: ScriptedOptions): Harness {
  return {
    name: "scripted",
    skillsFolder: ".claude/skills",
    onlyPrograms: true,
    find: async () => ({
      name: "scripted",
      version: null,
      readable: [dirname(player), dirname(node)],
    }),
    async run(request, context) {
      const env = { ASSAY_SCRIPT_FILE: await context.writeHome("script.json", script) };
      return runLineAgent({ program: node, args: [player], env }, request, context);
    },
  };
}
