import type { ServiceLimit } from "../domain/event.ts";

/** What model services hold us back with, for the progress line; empty while none has refused anything. */
export function limitText(limits: Readonly<Record<string, ServiceLimit>>): string {
  const held = Object.entries(limits).filter(([, { limited }]) => limited > 0);
  if (held.length === 0) return "";
  const parts = held.map(([name, { limit, waiting, pausedMs }]) => {
    const wait = pausedMs > 0 ? `, paused for ${Math.ceil(pausedMs / 1000)} s` : "";
    return `${name} held to ${limit} at once${waiting > 0 ? `, ${waiting} waiting` : ""}${wait}`;
  });
  return ` [${parts.join("; ")}]`;
}
