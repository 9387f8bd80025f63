/**
 * Freezes plain objects, lists and what is in them, also in maps, whose own entries cannot be frozen. What is frozen already
 * is taken to be so all the way down.
 */
export function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  if (value instanceof Map) for (const one of value.values()) deepFreeze(one);
  Object.freeze(value);
  for (const one of Object.values(value)) deepFreeze(one);
}
