import { type Models, openModels } from "../../engine/models/open-models.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import type { CASSETTES, MODELS } from "../../options/models.ts";
import type { Settled, Sources } from "../../options/table.ts";
import type { PLACE } from "../../options/targets.ts";
import { type ListeningDoor, openDoor, type OpenDoor, sourcesOf } from "../door.ts";
import { listenerOf } from "./listener.ts";
import { stoppable } from "./stoppable.ts";

/** What an operation works with that asks a model for a proposal and runs nothing. */
export interface ProposerCall<S, E> {
  readonly settled: S;
  readonly door: OpenDoor;
  /** The results folder, absolute. */
  readonly results: string;
  readonly models: Models;
  readonly listen: (event: E) => void;
}

/** Opens the door and the way to models for one piece of work. Rejects with the signal's reason once that has fired. */
export async function withProposer<S extends Settled<typeof PLACE & typeof MODELS & typeof CASSETTES>, E, R>(
  given: ListeningDoor<E>,
  settleBy: (sources: Sources) => S,
  work: (call: ProposerCall<S, E>) => Promise<R>,
): Promise<R> {
  const door = openDoor(given);
  const settled = settleBy(sourcesOf(door));
  const { machine, config, signal } = door;
  return stoppable(signal, async () => {
    const results = resultsFolder(settled.workspace, machine);
    const request = { models: settled, cassettes: settled, results, config, account: null };
    await using models = await openModels(request, machine);
    return await work({ settled, door, results, models, listen: listenerOf(given.on, machine) });
  });
}
