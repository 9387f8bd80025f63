import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { findClient } from "./client.ts";

const WORDS = { title: "The Agent", install: "npm install -g the-agent" };

describe("a client", () => {
  it("is found through links, and all of its package may be read", async () => {
    await using tree = await tempTree({ "lib/node_modules/agent/bin/agent.exe": "\x7fELF" });
    const at = (path: string) => join(tree.root, path);
    chmodSync(at("lib/node_modules/agent/bin/agent.exe"), 0o755);
    mkdirSync(at("bin"));
    symlinkSync("../lib/node_modules/agent/bin/agent.exe", at("bin/agent"));
    const client = findClient(options("agent", at("bin")), WORDS);
    const program = at("lib/node_modules/agent/bin/agent.exe");
    expect(await client.program()).toBe(program);
    expect(await client.describe()).toEqual({
      version: "1.2.3",
      readable: [program, at("lib/node_modules")],
    });
  });

  it("that is a script brings the program that runs it", async () => {
    await using tree = await tempTree({ "node/v1/node": "#!", "script/agent.js": "#!/usr/bin/env node\n" });
    const at = (path: string) => join(tree.root, path);
    for (const file of ["node/v1/node", "script/agent.js"]) chmodSync(at(file), 0o755);
    mkdirSync(at("bin"));
    symlinkSync("../node/v1/node", at("bin/node"));
    symlinkSync("../script/agent.js", at("bin/agent"));
    const { readable } = await findClient(options("agent", at("bin")), WORDS).describe();
    expect(readable).toEqual([at("script/agent.js"), at("script"), at("bin"), at("node/v1")]);
  });

  it.each([
    ["#!/bin/sh\n", [dirname("/bin/sh"), "/usr/bin"]],
    ["#!/no/such/shell\n", []],
    ["#!\n", []],
    ["", []],
  ])("beginning with %j", async (head, interpreter) => {
    await using tree = await tempTree({ agent: head });
    chmodSync(tree.path("agent"), 0o755);
    const { readable } = await findClient(options("./agent", "", tree.root), WORDS).describe();
    expect(readable.slice(0, 2)).toEqual([tree.path("agent"), tree.root]);
    expect(interpreter).toEqual(expect.arrayContaining(readable.slice(2)));
  });

  it.each(["the-agent", "/no/such/the-agent"])(
    "%s that is missing is told with the way to install it",
    async (name) => {
      const client = findClient(options(name, "/nonexistent"), WORDS);
      await expect(client.program()).rejects.toMatchObject({
        name: "UserError",
        message: expect.stringMatching(/^The Agent is not installed: .*the-agent/),
        hint: "npm install -g the-agent, or choose another agent with --harness",
      });
    },
  );

  it("that may not be executed is not there", async () => {
    await using tree = await tempTree({ agent: "x" });
    writeFileSync(tree.path("agent"), "x", { mode: 0o644 });
    await expect(findClient(options("agent", tree.root), WORDS).program()).rejects.toThrow("not on PATH");
  });
});

function options(program: string, searchPath: string, cwd = "/") {
  return { program, searchPath, cwd, credentials: {}, versionOf: async () => "1.2.3" };
}
