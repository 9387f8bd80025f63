import type { ImproveEvent } from "../improve/event.ts";
import { APPLY, EDITS, ONE_SKILL, OTHER_EVALS, ROUNDS, VERSIONS } from "../options/improve.ts";
import { flag, positive, share } from "../options/kind.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { type Given, option, optionOr, settle } from "../options/table.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { type Improvement, improveInRounds } from "./improve/in-rounds.ts";
import { listenerOf } from "./improve/listener.ts";
import { openVersions } from "./improve/open-versions.ts";
import { stoppable } from "./improve/stoppable.ts";

export type { ImproveEvent } from "../improve/event.ts";
export type { LoopEnd } from "../improve/loop/improve.ts";
export type { Round } from "../improve/loop/record.ts";
export type { Adoption } from "./improve/adopt.ts";
export type { Improvement } from "./improve/in-rounds.ts";
export type { Spending } from "./improve/spending.ts";

/** What `improve` can be told. */
export const IMPROVE_OPTIONS = {
  ...ONE_SKILL,
  ...ROUNDS,
  goal: optionOr("--goal <share>", { kind: share, otherwise: 1 }, "end when this share of the checks passes"),
  maxMinutes: option("--max-minutes <n>", positive, "begin no further round after this time"),
  restart: optionOr(
    "--restart",
    { kind: flag, otherwise: false },
    "set the history of earlier rounds aside and begin anew",
  ),
  ...EDITS,
  ...APPLY,
  ...OTHER_EVALS,
  ...VERSIONS,
  ...MODELS,
  ...CASSETTES,
};
export type ImproveOptions = Given<typeof IMPROVE_OPTIONS>;

/** Who has a skill improved, and wants to hear how it gets on. */
export interface ImproveDoor extends Omit<Door, "reporters"> {
  readonly on?: (event: ImproveEvent) => void;
}

/**
 * Improves the body of a skill in rounds: drafts versions from what fails, runs them, and keeps one that wins blind. Called
 * again, it continues where it ended. Rejects with the signal's reason where that fires between runs.
 */
export async function improve(options: ImproveOptions, door: ImproveDoor): Promise<Improvement> {
  const open = openDoor(door);
  const settled = settle(IMPROVE_OPTIONS, options, sourcesOf(open));
  const { signal } = open;
  return stoppable(signal, async () => {
    await using call = await openVersions(settled, "artifact", open);
    const listen = listenerOf(door.on, open.machine);
    return await improveInRounds(call, { wishes: settled, listen }, signal);
  });
}
