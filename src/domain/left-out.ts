import type { LeftOut, LeftOutStatus } from "./run.ts";

/**
 * What kept a run from being evidence. Troubles of the services may pass. Not so a request that the service calls wrong,
 * by its HTTP status, such as one for a model that does not exist.
 */
export function leftOut<S extends LeftOutStatus>(
  status: S,
  message: string,
  httpStatus: number | null = null,
): LeftOut<S> {
  return { status, message, mayPass: PASSING.has(status) && !isWrongRequest(httpStatus) };
}

const PASSING: ReadonlySet<LeftOutStatus> = new Set(["rate-limit", "api", "network"]);

function isWrongRequest(httpStatus: number | null): boolean {
  return httpStatus !== null && httpStatus >= 400 && httpStatus < 500 && !WORTH_ANOTHER_TRY.has(httpStatus);
}

const WORTH_ANOTHER_TRY: ReadonlySet<number> = new Set([408, 409, 429]);
