/** Freezes a JSON-like value with everything in it; what is frozen already is taken to be so all the way down. */
export function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const one of Object.values(value)) deepFreeze(one);
}
