/**
 * Freezes plain objects, lists, maps, sets and what is in them. What is frozen already is taken to be so all the way down.
 */
export function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  if (value instanceof Map || value instanceof Set) closeCollection(value);
  Object.freeze(value);
  for (const one of Object.values(value)) deepFreeze(one);
}

/** `Object.freeze` leaves the entries of a collection open. */
function closeCollection(collection: Map<unknown, unknown> | Set<unknown>): void {
  for (const one of collection.values()) deepFreeze(one);
  for (const name of ["set", "add", "delete", "clear"]) {
    if (name in collection) Object.defineProperty(collection, name, { value: refuse });
  }
}

function refuse(): never {
  throw new TypeError("this collection is frozen");
}
