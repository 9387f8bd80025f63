import { TRIAL_MARK } from "../process/stop.ts";
import type { Sandbox } from "../sandbox.ts";

/**
 * Nothing is hidden and nothing is contained; a trial's processes carry a mark by which they are found again. It is the
 * trial's home, because another runner may be at the same trial on this machine, and must not find these.
 */
export function none(): Sandbox {
  return {
    name: "none",
    contained: false,
    hidesFiles: false,
    unavailable: async () => null,
    places({ workspace, home, temp }) {
      return { workspace: workspace.kind === "overlay" ? workspace.mountPoint : workspace.path, home, temp };
    },
    wrap(command, ground) {
      if (ground.workspace.kind === "overlay") throw new Error("without a sandbox no overlay can be mounted");
      return { ...command, env: { ...command.env, [TRIAL_MARK]: ground.home } };
    },
  };
}
