import { spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import { stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { tempTree } from "../../../test/support/temp-tree.ts";
import { askAt, listenAt } from "./socket.ts";

const REFUSED = { ok: false, problem: "no" } as const;

describe("a socket of a call", () => {
  it("answers each message on a connection of its own, and is gone when it is closed", async () => {
    await using folder = await tempTree();
    const path = folder.path("control");
    const heard: unknown[] = [];
    const server = await listenAt(path, async (message) => {
      heard.push(message);
      return REFUSED;
    });
    expect(await askAt(path, { do: "pause" })).toEqual(REFUSED);
    expect(await askAt(path, { do: "stop", now: true })).toEqual(REFUSED);
    expect(heard).toEqual([{ do: "pause" }, { do: "stop", now: true }]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await server[Symbol.asyncDispose]();
    expect(await askAt(path, { do: "status" })).toBeNull();
  });

  it("says why it cannot read a message, and goes on", async () => {
    await using folder = await tempTree();
    const path = folder.path("control");
    await using _server = await listenAt(path, async () => REFUSED);
    const socket = createConnection(path);
    socket.setEncoding("utf8").write("no JSON\n");
    const [reply] = (await once(socket, "data")) as [string];
    expect(JSON.parse(reply)).toMatchObject({ ok: false, problem: expect.stringContaining("JSON") });
    socket.destroy();
    expect(await askAt(path, { do: "status" })).toEqual(REFUSED);
  });

  it("does not keep the one who listens from closing while somebody is connected", async () => {
    await using folder = await tempTree();
    const path = folder.path("control");
    const server = await listenAt(path, async () => REFUSED);
    const socket = createConnection(path);
    socket.on("error", () => {});
    await once(socket, "connect");
    await server[Symbol.asyncDispose]();
    expect(await askAt(path, { do: "status" })).toBeNull();
    socket.destroy();
  });

  it("is known to be dead where a killed process left it", async () => {
    await using folder = await tempTree();
    const path = folder.path("control");
    const program = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => console.log("ready"))`;
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "close");
    expect((await stat(path)).isSocket()).toBe(true);
    expect(await askAt(path, { do: "status" })).toBeNull();
  });
});
