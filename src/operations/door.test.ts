import { describe, expect, it } from "vitest";
import { UserError } from "../domain/user-error.ts";
import { NO_CONFIG } from "../engine/config.ts";
import { thisMachine } from "../this-machine.ts";
import { type Door, openDoor } from "./door.ts";

const machine = thisMachine();

describe("a door", () => {
  it("opens with no more than a machine", () => {
    expect(openDoor({ machine })).toMatchObject({ machine, config: NO_CONFIG, reporters: [] });
  });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "not an object"],
    ["a text", "door", "not an object"],
    ["no machine", {}, "no machine"],
    ["a machine that is none", { machine: {} }, "the machine's env"],
    ["no environment", { machine: { ...machine, env: null } }, "env must be an object of texts"],
    [
      "a variable that is no text",
      { machine: { ...machine, env: { PATH: 5 } } },
      "env must be an object of texts",
    ],
    ["a relative directory", { machine: { ...machine, cwd: "here" } }, "cwd must be an absolute path"],
    ["a number for a directory", { machine: { ...machine, home: 5 } }, "home must be an absolute path"],
    ["no clock", { machine: { ...machine, now: new Date() } }, "now must be a function"],
    ["nobody to tell", { machine: { ...machine, note: undefined } }, "note must be a function"],
    ["a misspelt part", { machine, confg: NO_CONFIG }, 'no "confg"'],
    ["a path for a configuration", { machine, config: "assay.config.mjs" }, "must come from readConfig"],
    ["an empty configuration", { machine, config: {} }, "must come from readConfig"],
    ["plug-ins for a configuration", { machine, config: { harnesses: [] } }, "must come from readConfig"],
    ["one reporter", { machine, reporters: { name: "mine" } }, "list of reporters"],
    ["a reporter without a name", { machine, reporters: [{}] }, "each with a name"],
    [
      "a reporter that hears nothing",
      { machine, reporters: [{ name: "mine", event: 5 }] },
      "functions for event",
    ],
    ["a controller", { machine, signal: new AbortController() }, "not an AbortSignal"],
  ])("with %s is refused by what is wrong with it", (_, door, words) => {
    const open = () => openDoor(door as Door);
    expect(open).toThrow(UserError);
    expect(open).toThrow(words);
  });
});
