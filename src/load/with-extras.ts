import type { JsonObject } from "../domain/json.ts";
import { objectAt } from "../lib/loose.ts";
import { type Fields, object, type ObjectOutput } from "../lib/shape/object.ts";
import type { Shape } from "../lib/shape/shape.ts";
import { refine } from "../lib/shape/values.ts";

type WithExtras<F extends Fields> = Omit<ObjectOutput<F>, "extras"> & { readonly extras: JsonObject };

/** An object of these fields that may keep more in its `extras`. */
export function withExtras<F extends Fields>(of: F): Shape<WithExtras<F>> {
  return refine(object(of, { unknownKeys: "allowed" }), ({ extras: others, ...known }) => ({
    ...known,
    extras: objectAt(others, "extras") as JsonObject,
  }));
}
