import type { ImproveEvent } from "../improve/event.ts";
import { APPLY, CONFIRMING, EDITS, ONE_SKILL, ELSEWHERE, ROUNDS, VERSIONS } from "../options/improve.ts";
import { flag, positive, share } from "../options/kind.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { type Given, option, optionOr, settle } from "../options/table.ts";
import { type ListeningDoor, openDoor, sourcesOf } from "./door.ts";
import { type Improvement, improveInRounds } from "./improve/in-rounds.ts";
import { listenerOf } from "./improve/listener.ts";
import { openVersions } from "./improve/open-versions.ts";
import { stoppable } from "./improve/stoppable.ts";

export type { ImproveEvent } from "../improve/event.ts";
export type { Confirmation, FreshResult } from "../improve/loop/confirmation.ts";
export type { LoopEnd } from "../improve/loop/improve.ts";
export type { Round } from "../improve/loop/record.ts";
export type { Adoption } from "./improve/adopt.ts";
export type { Improvement } from "./improve/in-rounds.ts";
export type { CallSpending } from "./improve/spending.ts";

/** What `improve` can be told. */
export const IMPROVE_OPTIONS = {
  ...ONE_SKILL,
  ...ROUNDS,
  ...CONFIRMING,
  goal: optionOr(
    "--goal <share>",
    { kind: share, otherwise: 1 },
    "end when this share of the checks passes on the cases to learn from",
  ),
  maxMinutes: option("--max-minutes <n>", positive, "start no further round after this time"),
  restart: optionOr("--restart", { kind: flag, otherwise: false }, "set earlier rounds aside and start over"),
  ...EDITS,
  ...APPLY,
  ...ELSEWHERE,
  ...VERSIONS,
  ...MODELS,
  ...CASSETTES,
};
export type ImproveOptions = Given<typeof IMPROVE_OPTIONS>;

/** Who has a skill improved, and wants to hear how it gets on. */
export type ImproveDoor = ListeningDoor<ImproveEvent>;

/**
 * Improves the body of a skill in rounds: drafts versions from what fails, runs them on some cases, and adopts the best of them
 * only where fresh runs on all cases confirm it. Called again, it continues where it ended. Rejects with the signal's reason
 * where that fires between runs.
 */
export async function improve(options: ImproveOptions, door: ImproveDoor): Promise<Improvement> {
  const open = openDoor(door);
  const settled = settle(IMPROVE_OPTIONS, options, sourcesOf(open));
  const { signal } = open;
  return stoppable(signal, async () => {
    const account = { file: "budget-improve.json", resume: !settled.restart };
    await using call = await openVersions(settled, { mode: "artifact", account }, open);
    const listen = listenerOf(door.on, open.machine);
    return await improveInRounds(call, { wishes: settled, listen }, signal);
  });
}
