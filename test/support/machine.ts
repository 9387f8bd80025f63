import type { Machine, Note } from "../../src/machine.ts";

/** A machine in this directory with nothing in its environment and nobody to ask; `notes` holds what was said. */
export function machineIn(cwd: string): Machine & { readonly notes: readonly Note[] } {
  const notes: Note[] = [];
  return {
    env: {},
    cwd,
    // Nothing can be written below it, also not by root: tests would share what it remembers.
    home: "/dev/null/home",
    now: () => new Date(),
    note: (note) => void notes.push(note),
    consent: async () => null,
    notes,
  };
}
