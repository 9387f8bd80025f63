import { resolve } from "node:path";
import { readScript } from "../gateway/sim/read-script.ts";
import { type Sim, startSim } from "../gateway/sim/server.ts";
import { text, wholeNumber } from "../options/kind.ts";
import { required } from "../options/required.ts";
import { type Given, option, settle } from "../options/table.ts";
import type { Door } from "./door.ts";

export type { Sim } from "../gateway/sim/server.ts";
export type { SimRequest } from "../gateway/sim/request-log.ts";

/** What `sim` can be told. */
export const SIM_OPTIONS = {
  script: option(null, text, "YAML or JSON that says what the model answers; see docs/sim.md"),
  port: option("--port <n>", wholeNumber(1), "listen here (default: a free port)"),
  log: option("--log <file>", text, "write each request as a line of JSON"),
};
export type SimOptions = Given<typeof SIM_OPTIONS> & { readonly script: string };

/**
 * Starts serve a scripted model on this machine, for tests. It answers until it is disposed of or the door's signal fires. Throws a
 * UserError for a script that cannot be used and for a port that is taken.
 */
export async function sim(options: SimOptions, { machine, signal }: Door): Promise<Sim> {
  const settled = settle(SIM_OPTIONS, options, { env: machine.env });
  const { script, port, log } = required(settled, ["script"]);
  signal?.throwIfAborted();
  const server = await startSim(await readScript(resolve(machine.cwd, script)), {
    ...(port !== null && { port }),
    ...(log !== null && { logFile: resolve(machine.cwd, log) }),
    now: machine.now,
  });
  signal?.addEventListener("abort", () => void server.close(), { once: true });
  if (signal?.aborted === true) await server.close();
  return server;
}
