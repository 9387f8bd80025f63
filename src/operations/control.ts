import type { RunStatus } from "../domain/control.ts";
import { UserError } from "../domain/user-error.ts";
import { findRunning, type Reachable } from "../engine/control/find-running.ts";
import type { ControlMessage } from "../engine/control/message.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { choice, flag, positive, text, wholeNumber } from "../options/kind.ts";
import { required } from "../options/required.ts";
import { type Given, option, optionOr, type Settled, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";

/** What `status` can be told. */
export const STATUS_OPTIONS = { ...PLACE };
export type StatusOptions = Given<typeof STATUS_OPTIONS>;

/** The calls that are at work in a results folder, the longest at work first. */
export async function status(options: StatusOptions, door: Door): Promise<readonly RunStatus[]> {
  const open = openDoor(door);
  const { workspace } = settle(STATUS_OPTIONS, options, sourcesOf(open));
  const running = await findRunning(resultsFolder(workspace, open.machine), open.machine.note);
  return running.map((one) => one.status);
}

export const CONTROL_ACTIONS = ["pause", "resume", "stop", "limit"] as const;

/** What `control` can be told. */
export const CONTROL_OPTIONS = {
  action: option(null, choice(CONTROL_ACTIONS), "pause, resume, stop or limit"),
  run: option(null, text, "which run: its id or a skill; needed only if several are running"),
  now: optionOr(
    "--now",
    { kind: flag, otherwise: false },
    "with stop: also end the running trials, as Ctrl-C does",
  ),
  concurrency: option("--concurrency <n>", wholeNumber(1), "with limit: trials at once", { short: "-j" }),
  maxCostUsd: option(
    "--max-cost <usd>",
    positive,
    "with limit: the new budget, including what is already spent",
  ),
  maxTokens: option("--max-tokens <n>", wholeNumber(1), "with limit: the same in tokens"),
  ...PLACE,
};
export type ControlOptions = Given<typeof CONTROL_OPTIONS>;

/** Steers a call that is at work; answers how it then stands. Throws a UserError where none is meant or it cannot. */
export async function control(options: ControlOptions, door: Door): Promise<RunStatus> {
  const open = openDoor(door);
  const settled = required(settle(CONTROL_OPTIONS, options, sourcesOf(open)), ["action"]);
  const message = messageOf(settled);
  const running = await findRunning(resultsFolder(settled.workspace, open.machine), open.machine.note);
  const reply = await oneOf(running, settled.run).tell(message);
  if (reply.ok) return reply.status;
  throw new UserError("control/refused", `cannot ${settled.action} the run: ${reply.problem}`, {
    hint: "assay status shows what is running",
  });
}

function messageOf({
  action,
  now,
  concurrency,
  maxCostUsd,
  maxTokens,
}: Pick<Settled<typeof CONTROL_OPTIONS>, "now" | "concurrency" | "maxCostUsd" | "maxTokens"> & {
  readonly action: (typeof CONTROL_ACTIONS)[number];
}): ControlMessage {
  const limits = { concurrency, maxCostUsd, maxTokens };
  const isLimited = Object.values(limits).some((value) => value !== null);
  if (isLimited !== (action === "limit"))
    throw new UserError(
      "control/limits",
      isLimited ? `${action} takes no limit` : "limit needs a new limit",
      { hint: "e.g. assay control limit --max-cost 5 --concurrency 4" },
    );
  if (now && action !== "stop")
    throw new UserError("control/limits", `${action} takes no --now`, { hint: "only stop does" });
  switch (action) {
    case "stop":
      return { do: "stop", now };
    case "limit":
      return { do: "limit", ...limits };
    case "pause":
    case "resume":
      return { do: action };
  }
}

function oneOf(running: readonly Reachable[], wanted: string | null): Reachable {
  const found = running.filter(({ status: { id, iterations } }) =>
    wanted === null ? true : id === wanted || iterations.some(({ suite }) => suite === wanted),
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const ids = found.map(({ status: { id, iterations } }) => {
    const suites = [...new Set(iterations.map(({ suite }) => suite))].join(", ");
    return `${id} (${suites})`;
  });
  if (only !== undefined)
    throw new UserError("control/several", `several runs are in progress: ${ids.join("; ")}`, {
      hint: "choose one by its id, e.g. assay control pause " + only.status.id,
    });
  const what = wanted === null ? "nothing is running" : `no run ${JSON.stringify(wanted)} is in progress`;
  throw new UserError("control/not-running", `${what} in this project`, {
    hint: "assay status lists what is; --workspace sets another results folder",
  });
}
