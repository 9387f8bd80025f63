import { join, relative } from "node:path";
import type { EvaluationRequest } from "../../engine/engine.ts";
import type { AccountFile, Models } from "../../engine/models/open-models.ts";
import { type Settled, settle } from "../../options/table.ts";
import type { ONE_SKILL, ELSEWHERE, VERSIONS } from "../../options/improve.ts";
import type { CASSETTES, MODELS } from "../../options/models.ts";
import { RUN } from "../../options/run.ts";
import { type OpenDoor, sourcesOf } from "../door.ts";
import { openRunRequest } from "../shared/run-request.ts";
import { noteOnce } from "./note-once.ts";
import { findPlace, type Place } from "./place.ts";
import { metered, type MeteredCall } from "./spending.ts";

/** What versions of one skill are run and judged with. */
export interface VersionsCall {
  readonly place: Place;
  /** As an evaluation of the skill itself would be; each version changes what differs. Nobody hears of single trials. */
  readonly request: EvaluationRequest;
  readonly models: Models;
}

type VersionsSettled = Settled<
  typeof ONE_SKILL & typeof ELSEWHERE & typeof VERSIONS & typeof MODELS & typeof CASSETTES
>;

/** Disposing of it closes the way to models. `mode` says which cases are run, `account` in which file of the skill's folder spending is kept. */
export async function openVersions(
  settled: VersionsSettled,
  { mode, account }: { readonly mode: "artifact" | "trigger"; readonly account: AccountFile | null },
  door: OpenDoor,
): Promise<MeteredCall & AsyncDisposable> {
  const quiet: OpenDoor = { ...door, machine: noteOnce(door.machine), reporters: [] };
  const { skill, ...rest } = settled;
  const all = { ...settle(RUN, {}, sourcesOf(door)), ...rest, targets: [skill], skill: null, mode };
  const place = await findPlace(settled, quiet);
  const own = account && { ...account, file: join(relative(place.results, place.folder.root), account.file) };
  const run = await openRunRequest(all, quiet, own);
  const call = metered({ place, request: { ...run.request, purpose: PURPOSES[mode] }, models: run.models });
  return { ...call, [Symbol.asyncDispose]: () => run[Symbol.asyncDispose]() };
}

const PURPOSES = { artifact: "improve-draft", trigger: "description" } as const;
