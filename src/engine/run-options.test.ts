import { describe, expect, it } from "vitest";
import { MODELS } from "../options/models.ts";
import { AGENT, RUN, RUNNING, SELECTION } from "../options/run.ts";
import { settle } from "../options/table.ts";
import { thisMachine } from "../this-machine.ts";
import { NO_CONFIG } from "./config.ts";
import { runOptionsOf } from "./run-options.ts";

const machine = { ...thisMachine(), env: {}, cwd: "/project", home: "/home/ada" };
const NOBODY = { env: {} };

describe("the options of a run", () => {
  it("hold every row of the tables once, and nothing that other tables settle", async () => {
    const settled = { ...settle(RUN, {}, NOBODY), ...settle(MODELS, {}, NOBODY) };
    const options = await runOptionsOf(settled, { settings: NO_CONFIG.settings, machine, replay: null });
    const selected = ["mode", "cases", "filter", "shard"];
    const rows = Object.keys({ ...SELECTION, ...RUNNING, ...AGENT });
    const taken = rows.filter((name) => !selected.includes(name) && name !== "mcp");
    const found = ["fallback", "selection", "projectRoot", "replay", "mcpServers", "strict"];
    expect(Object.keys(options).toSorted()).toEqual([...taken, ...found].toSorted());
    expect(Object.keys(options.selection).toSorted()).toEqual(selected.toSorted());
  });

  it("take the model of the configuration where nobody names one", async () => {
    const settings = { ...NO_CONFIG.settings, model: "a, b" };
    const around = { settings, machine, replay: null };
    expect(await runOptionsOf(settle(RUN, {}, NOBODY), around)).toMatchObject({ models: ["a", "b"] });
    const named = settle(RUN, { models: ["c"] }, NOBODY);
    expect(await runOptionsOf(named, around)).toMatchObject({ models: ["c"] });
  });

  it.each([
    [true, true],
    [false, null],
    [null, null],
  ])("let a case decide on background agents unless they ask for it: %s", async (syncTasks, expected) => {
    const settled = settle(RUN, { syncTasks }, NOBODY);
    const options = await runOptionsOf(settled, { settings: NO_CONFIG.settings, machine, replay: null });
    expect(options.syncTasks).toBe(expected);
  });

  it.each([
    ["only", true],
    ["auto", false],
    [null, false],
  ] as const)("say whether everything is played back: %s", async (replay, expected) => {
    const settled = settle(RUN, {}, NOBODY);
    const options = await runOptionsOf(settled, { settings: NO_CONFIG.settings, machine, replay });
    expect(options.replay).toBe(expected);
  });

  it("name the project by its absolute path", async () => {
    const settled = settle(RUN, { projectRoot: "." }, NOBODY);
    const here = { ...machine, cwd: process.cwd() };
    const options = await runOptionsOf(settled, {
      settings: NO_CONFIG.settings,
      machine: here,
      replay: null,
    });
    expect(options.projectRoot).toBe(process.cwd());
  });
});
