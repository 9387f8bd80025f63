import { APPLY, ONE_SKILL, ELSEWHERE, ROUNDS, VERSIONS } from "../options/improve.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { type Given, settle } from "../options/table.ts";
import { openDoor, sourcesOf } from "./door.ts";
import type { ImproveDoor } from "./improve.ts";
import type { DescriptionFound } from "./improve/description-found.ts";
import { findDescription } from "./improve/find-description.ts";
import { listenerOf } from "./improve/listener.ts";
import { openVersions } from "./improve/open-versions.ts";
import { stoppable } from "./improve/stoppable.ts";

export type { DescriptionFound, FreshRates, TriedDescription } from "./improve/description-found.ts";

/** What `improveDescription` can be told. */
export const DESCRIPTION_OPTIONS = {
  ...ONE_SKILL,
  ...ROUNDS,
  ...APPLY,
  ...ELSEWHERE,
  ...VERSIONS,
  ...MODELS,
  ...CASSETTES,
};
export type DescriptionOptions = Given<typeof DESCRIPTION_OPTIONS>;

/**
 * Finds a description that fires better: learns from some trigger queries, chooses by others, and reports on the rest.
 * Rejects with the signal's reason where that fires between runs.
 */
export async function improveDescription(
  options: DescriptionOptions,
  door: ImproveDoor,
): Promise<DescriptionFound> {
  const open = openDoor(door);
  const settled = settle(DESCRIPTION_OPTIONS, options, sourcesOf(open));
  const { signal } = open;
  return stoppable(signal, async () => {
    await using call = await openVersions(settled, { mode: "trigger", account: null }, open);
    const listen = listenerOf(door.on, open.machine);
    return await findDescription(call, { wishes: settled, listen }, signal);
  });
}
