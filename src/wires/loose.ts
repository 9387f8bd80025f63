import type { Json, JsonObject } from "../domain/json.ts";
import * as loose from "../lib/loose.ts";

export { contentText, textAt } from "../lib/loose.ts";

/** As in `lib/loose.ts`, for what is JSON all the way down. */
export function objectAt(value: Json | undefined, key?: string): JsonObject {
  return loose.objectAt(value, key) as JsonObject;
}

export function listAt(value: Json | undefined, key?: string): readonly Json[] {
  return loose.listAt(value, key) as readonly Json[];
}
