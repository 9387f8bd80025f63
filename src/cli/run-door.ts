import { resolve } from "node:path";
import type { Config } from "../operations/config.ts";
import type { Machine } from "../machine.ts";
import type { Reporter } from "../operations/reporters.ts";
import type { CommandCall } from "./command.ts";
import type { LiveView } from "./live/view.ts";
import { detailOf, reporterNames, reportersOf } from "./reporters.ts";

/** The door of a command that runs trials: its machine knows the files that reporters write, and a live view hears of both. */
export async function runDoor(call: CommandCall): Promise<RunDoor> {
  const config = await call.config();
  const detail = detailOf(call);
  const view = detail === "usual" ? await viewOf(call, config) : null;
  const reporters = await reportersOf(call);
  const files = reporterNames(call, config).flatMap((wanted) => {
    const at = wanted.indexOf("=");
    return at < 0 ? [] : [resolve(call.terminal.cwd, wanted.slice(at + 1))];
  });
  // Taken out once: looking where output goes may walk a folder.
  const { outputs = [], note, ...machine } = call.machine;
  return {
    config,
    machine: {
      ...machine,
      outputs: [...outputs, ...files],
      note: (said) => {
        if (detail === "quiet") return;
        if (typeof said !== "string" && "kind" in said) view?.expect(said);
        note(said);
      },
    },
    reporters: view === null ? reporters : [view.reporter, ...reporters],
    [Symbol.dispose]: () => view?.stop(),
  };
}

/** Disposing of it ends the live view, also where no report came. */
interface RunDoor extends Disposable {
  readonly machine: Machine;
  readonly config: Config;
  readonly reporters: readonly Reporter[];
}

/** Null: nobody watches, or what is printed is for a program. */
async function viewOf(call: CommandCall, config: Config): Promise<LiveView | null> {
  const { screen, decorated } = call.terminal;
  if (screen === undefined || !reporterNames(call, config).includes("terminal")) return null;
  const { liveView } = await import("./live/view.ts");
  return liveView(screen, decorated.err);
}
