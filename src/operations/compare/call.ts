import type { OpenDoor } from "../door.ts";
import type { RunRequest } from "../shared/run-request.ts";
import type { CompareSettled } from "./settled.ts";

/** What every step of a comparison works with. */
export interface CompareCall {
  readonly settled: CompareSettled;
  /** How versions would be run; its models are also the ones that compare. */
  readonly run: RunRequest;
  readonly door: OpenDoor;
}
