import { homedir } from "node:os";
import { cwd, env } from "node:process";
import type { Machine, Note } from "./machine.ts";

/** The machine that this program runs on, for programs that use Assay as a library. Nobody is asked: a question means no. */
export function thisMachine({ note = () => {} }: { note?: (note: Note) => void } = {}): Machine {
  return {
    env,
    cwd: cwd(),
    home: env["HOME"] || homedir(),
    now: () => new Date(),
    note,
    consent: async () => null,
  };
}
