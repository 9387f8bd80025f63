import type { Machine } from "../../machine.ts";

/** The same machine, for work that repeats: what every round would note is noted once. */
export function noteOnce(machine: Machine): Machine {
  const noted = new Set<string>();
  return {
    ...machine,
    note(note) {
      const key = JSON.stringify(note);
      if (noted.has(key)) return;
      noted.add(key);
      machine.note(note);
    },
  };
}
