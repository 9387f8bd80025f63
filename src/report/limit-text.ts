import type { ServiceLimit } from "../domain/event.ts";

/** What model services hold us back with; empty while none has refused anything. */
export function limitText(limits: Readonly<Record<string, ServiceLimit>>): string {
  return Object.entries(limits)
    .filter(([, { limited }]) => limited > 0)
    .map(([name, { limit, waiting, pausedMs }]) => {
      const facts = [
        ...(pausedMs > 0 ? [`paused for ${Math.ceil(pausedMs / 1000)} s`] : []),
        ...(waiting > 0 ? [`${waiting} waiting`] : []),
        `at most ${limit} at once`,
      ];
      return `${name} limits our rate: ${facts.join(", ")}`;
    })
    .join("; ");
}
