import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandboxes } from "../sandboxes/index.ts";
import { bundleRunner, type RunnerFile } from "./fixtures/bundle.ts";
import type { RunnerReply } from "./fixtures/runner.ts";
import { workbench } from "./fixtures/workbench.ts";

const MEBIBYTE = 1024 * 1024;

let runner: RunnerFile;
beforeAll(async () => {
  runner = await bundleRunner();
});
afterAll(() => runner[Symbol.dispose]());

const working = await Promise.all(
  sandboxes.map(async ({ name, create }) => ((await create({}).unavailable()) === null ? [name] : [])),
);

describe.each(working.flat())("a runner with sandbox %s", (sandbox) => {
  it.each([
    ["300 MB without a newline", "head -c 300000000 /dev/zero", 1, 256 * MEBIBYTE],
    [
      "300 MB of broken characters in one line",
      "head -c 300000000 /dev/zero | tr '\\0' é",
      1,
      256 * MEBIBYTE,
    ],
    ["300 MB of lines", "yes 0123456789abcdef | head -c 300000000", 15_790_321, 256 * MEBIBYTE],
    ["300 MB on standard error", "head -c 300000000 /dev/zero >&2", 0, 0],
  ])(
    "stays small while the agent prints %s",
    async (_, script, lines, bytes) => {
      using bench = workbench();
      const reply = await run({ sandbox, bench, script, timeoutMs: 100_000 });
      if (reply === null) return;
      expect(reply.supervised.ending.kind).toBe(bytes === 0 ? "exited" : "over-limit");
      expect(reply.supervised.notes.join()).toContain("was dropped");
      expect(reply.lines).toBe(lines);
      expect(statSync(bench.stdoutFile).size).toBe(bytes);
      expect(reply.peakMemoryBytes / MEBIBYTE).toBeLessThan(150);
    },
    120_000,
  );

  it("returns within a second of a deadline of two, whatever holds standard output", async () => {
    using bench = workbench();
    const startedMs = performance.now();
    const reply = await run({
      sandbox,
      bench,
      script: "trap '' INT TERM; sleep 20 & sleep 20; sleep 20",
      timeoutMs: 2000,
    });
    if (reply === null) return;
    expect(reply.supervised.ending).toEqual({ kind: "timed-out" });
    expect(reply.supervised.durationMs).toBeLessThan(3000);
    expect(performance.now() - startedMs).toBeLessThan(5000);
    expect(bench.survivors()).toEqual([]);
  });

  async function run({ sandbox, bench, script, timeoutMs }: RunOptions): Promise<Measured | null> {
    const { ground, stdoutFile, stderrFile } = bench;
    const request = { sandbox, ground, command: bench.command(script), stdoutFile, stderrFile, timeoutMs };
    const { stdout } = await promisify(execFile)(process.execPath, [runner.path, JSON.stringify(request)]);
    const reply = JSON.parse(stdout) as RunnerReply;
    return "unavailable" in reply ? null : reply;
  }
});

type Measured = Exclude<RunnerReply, { unavailable: string }>;

interface RunOptions {
  readonly sandbox: string;
  readonly bench: ReturnType<typeof workbench>;
  readonly script: string;
  readonly timeoutMs: number;
}
