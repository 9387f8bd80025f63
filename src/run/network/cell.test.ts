import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemProgram } from "../process/namespace.ts";
import { bwrap } from "../sandboxes/bwrap.ts";
import { joining, openCell } from "./cell.ts";

const unavailable = await bwrap().unavailable();

describe.skipIf(unavailable !== null)("a network cell", () => {
  const PORT = 4711;

  async function socketThatSays(words: string): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "cell-"));
    const server = createServer((socket) => socket.end(words));
    onTestFinished(() => {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const path = join(folder, "socket");
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return path;
  }

  async function inside(pid: number, script: string): Promise<string> {
    const nsenter = systemProgram("nsenter") ?? "nsenter";
    return (await promisify(execFile)(nsenter, [...joining(pid), "/bin/bash", "-c", script])).stdout;
  }

  it("leads from its port to the socket, whole, however often, and nowhere else", async () => {
    const words = "x".repeat(300_000);
    await using cell = await openCell({ port: PORT, socketPath: await socketThatSays(words) });
    const ask = `for i in 1 2 3; do cat < /dev/tcp/127.0.0.1/${PORT} | wc -c; done; grep -c : /proc/net/dev`;
    expect((await inside(cell.pid, ask)).trim().split("\n")).toEqual(["300000", "300000", "300000", "1"]);
  });

  it("is gone when it is disposed of", async () => {
    const cell = await openCell({ port: PORT, socketPath: await socketThatSays("") });
    expect(existsSync(`/proc/${cell.pid}`)).toBe(true);
    await cell[Symbol.asyncDispose]();
    expect(existsSync(`/proc/${cell.pid}`)).toBe(false);
  });
});
