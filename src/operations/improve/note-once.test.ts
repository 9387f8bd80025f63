import { expect, it } from "vitest";
import type { Machine, Note } from "../../machine.ts";
import { noteOnce } from "./note-once.ts";

it("notes once what is said again and again, and everything else", () => {
  const noted: Note[] = [];
  const machine: Machine = {
    env: {},
    cwd: "/",
    home: "/",
    now: () => new Date(0),
    note: (note) => void noted.push(note),
    consent: async () => null,
  };
  const once = noteOnce(machine);
  for (const note of ["no sandbox", "no judge", "no sandbox"]) once.note(note);
  expect(noted).toEqual(["no sandbox", "no judge"]);
});
