import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { STAND_INS } from "./fixtures/stand-ins.ts";
import { abortAtFirstLine, workbench } from "./fixtures/workbench.ts";
import { processesWith } from "./processes.ts";
import { TRIAL_MARK } from "./stop.ts";

describe("a program that ends by itself", () => {
  it("gives its lines in order, its exit code and the end of its standard error", async () => {
    using bench = workbench();
    const ended = await bench.run("echo one; echo; echo two; echo oh >&2; exit 3");
    expect(ended.ending).toEqual({ kind: "exited", code: 3, signal: null });
    expect(ended.lines).toEqual(["one", "", "two"]);
    expect(ended.stderrTail).toBe("oh\n");
    expect(ended.notes).toEqual([]);
    expect(readFileSync(bench.stdoutFile, "utf8")).toBe("one\n\ntwo\n");
  });

  it("has said everything even when it ended before anybody looked", async () => {
    using bench = workbench();
    const ended = await bench.run("seq 1 20000");
    expect(ended.lines).toHaveLength(20_000);
    expect(ended.lines.at(-1)).toBe("20000");
  });

  it("may die in the middle of a line, which still arrives", async () => {
    using bench = workbench();
    const ended = await bench.run(`echo whole; printf '{"half":'; kill -9 $$`);
    expect(ended.ending).toEqual({ kind: "exited", code: null, signal: "SIGKILL" });
    expect(ended.lines).toEqual(["whole", '{"half":']);
  });

  it("may print bytes that are no UTF-8", async () => {
    using bench = workbench();
    const ended = await bench.run(String.raw`printf 'a\xffb\n\xc3\n\x00\nok\n'`);
    expect(ended.lines).toEqual(["a\ufffdb", "\ufffd", "\0", "ok"]);
  });

  it("reads any amount on standard input", async () => {
    using bench = workbench();
    const stdin = "é5 MB\n".repeat(750_000);
    const ended = await bench.run("wc -c; sleep 0.05", { command: { stdin } });
    expect(ended.lines).toEqual([String(Buffer.byteLength(stdin))]);
  });

  it("sees end of file at once when there is nothing to read", async () => {
    using bench = workbench();
    expect((await bench.run("wc -c")).lines).toEqual(["0"]);
  });

  it("inherits nothing of our environment", async () => {
    using bench = workbench();
    const ended = await bench.run("env", {
      command: { program: "/usr/bin/env", args: [], env: { ONLY: "this" } },
    });
    expect(ended.lines).toEqual(["ONLY=this"]);
  });

  it("shares its files with the program before it, but not its lines", async () => {
    using bench = workbench();
    await bench.run("echo first; echo first >&2");
    const second = await bench.run("echo second; echo second >&2");
    expect(second.lines).toEqual(["second"]);
    expect(second.stderrTail).toBe("second\n");
    expect(readFileSync(bench.stdoutFile, "utf8")).toBe("first\nsecond\n");
  });

  it("does not make us wait for a child that keeps standard output open", async () => {
    using bench = workbench();
    const ended = await bench.run("sleep 20 & echo done");
    expect(ended.lines).toEqual(["done"]);
    expect(ended.durationMs).toBeLessThan(5000);
    expect(bench.survivors()).toEqual([]);
  });
});

describe("a program that cannot be started", () => {
  it.each([
    ["is missing", { program: "/nowhere/agent" }, "/nowhere/agent does not exist"],
    ["has no working directory", { cwd: "/nowhere" }, "the working directory /nowhere does not exist"],
    ["gets too many arguments", { args: ["x".repeat(200_000)] }, "larger than the system allows"],
    ["gets an impossible argument", { args: ["a\0b"] }, "null bytes"],
  ])("%s", async (_, command, reason) => {
    using bench = workbench();
    const ended = await bench.run("", { command });
    expect(ended.ending).toEqual({ kind: "not-started", reason: expect.stringContaining(reason) });
    expect(ended.lines).toEqual([]);
  });

  it("may not be executed", async () => {
    using bench = workbench();
    const program = join(bench.folder, "plain.txt");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o644);
    const ended = await bench.run("", { command: { program } });
    expect(ended.ending).toEqual({ kind: "not-started", reason: `${program} may not be executed` });
  });
});

describe("ending a program", () => {
  it("stops it when the watcher has seen enough, and shows the watcher nothing more", async () => {
    using bench = workbench();
    const watch = (line: string): "stop" | undefined => (line === "ready" ? "stop" : undefined);
    const ended = await bench.run(STAND_INS.polite, { watch });
    expect(ended.ending).toEqual({ kind: "stopped" });
    expect(ended.lines).toEqual(["ready"]);
    expect(readFileSync(bench.stdoutFile, "utf8")).toBe("ready\nbye\n");
  });

  it("counts as stopped by the watcher also when the program had already ended", async () => {
    using bench = workbench();
    const ended = await bench.run("echo enough; echo more", { watch: () => "stop" });
    expect(ended.ending).toEqual({ kind: "stopped" });
    expect(ended.lines).toEqual(["enough"]);
  });

  it("lets it finish its last words after the deadline", async () => {
    using bench = workbench();
    const ended = await bench.run(STAND_INS.polite, { timeoutMs: 1000 });
    expect(ended.ending).toEqual({ kind: "timed-out" });
    expect(ended.lines).toEqual(["ready", "bye"]);
  });

  it("kills one that ignores every request", async () => {
    using bench = workbench();
    const ended = await bench.run(STAND_INS.deaf, { timeoutMs: 300 });
    expect(ended.ending).toEqual({ kind: "timed-out" });
    expect(ended.durationMs).toBeLessThan(2500);
    expect(bench.survivors()).toEqual([]);
  });

  it("ends with the caller's signal", async () => {
    using bench = workbench();
    const ended = await bench.run("echo ready; sleep 20", abortAtFirstLine());
    expect(ended.ending).toEqual({ kind: "aborted" });
    expect(bench.survivors()).toEqual([]);
  });

  it.each([
    ["aborted", { signal: AbortSignal.abort() }],
    ["timed-out", { deadlineMs: 0 }],
  ])("does not even begin when it is %s already", async (kind, overrides) => {
    using bench = workbench();
    const ended = await bench.run("touch began", overrides);
    expect(ended.ending).toEqual({ kind });
    expect(() => statSync(join(bench.folder, "workspace/began"))).toThrow("ENOENT");
  });

  it("shares one signal among many programs without a warning", async () => {
    using bench = workbench();
    const warnings: string[] = [];
    const listen = (warning: Error): void => void warnings.push(warning.message);
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    const controller = new AbortController();
    const running = Array.from({ length: 16 }, () => bench.run("sleep 20", { signal: controller.signal }));
    setTimeout(() => controller.abort(), 100);
    const ended = await Promise.all(running);
    expect(new Set(ended.map(({ ending }) => ending.kind))).toEqual(new Set(["aborted"]));
    expect(warnings).toEqual([]);
  });
});

describe("processes that leave the group", () => {
  it.each([
    ["after the program ended by itself", "go", "exited"],
    ["after we ended it", "stay", "aborted"],
  ])("are found by their mark %s", async (_, mode, kind) => {
    using bench = workbench();
    const ended = await bench.run(STAND_INS.daemon, {
      args: [mode],
      ...(mode === "stay" ? abortAtFirstLine() : {}),
      command: { env: { PATH: "/usr/bin:/bin", [TRIAL_MARK]: bench.ground.id } },
    });
    expect(ended.ending.kind).toBe(kind);
    expect(ended.notes.join()).toMatch(/leaky: \d+ process/);
    expect(processesWith(TRIAL_MARK, bench.ground.id)).toEqual([]);
  });

  it("are left alone when they belong to another trial", async () => {
    using bench = workbench();
    const mark = (id: string) => ({ env: { PATH: "/usr/bin:/bin", [TRIAL_MARK]: id } });
    const controller = new AbortController();
    const other = bench.run("echo ready; sleep 20", {
      command: mark(`${bench.ground.id}0`),
      signal: controller.signal,
      stdoutFile: join(bench.folder, "other"),
    });
    await bench.run("sleep 0.2", { command: mark(bench.ground.id) });
    expect(processesWith(TRIAL_MARK, `${bench.ground.id}0`)).not.toEqual([]);
    controller.abort();
    expect((await other).ending).toEqual({ kind: "aborted" });
  });
});

describe("too much output", () => {
  it("cuts a long line and reads on", async () => {
    using bench = workbench();
    const script = "printf '%01000d\\n' 0; printf '%0101d\\n' 0; printf '%0100d\\n' 0; echo next";
    const ended = await bench.run(script, { limits: { lineBytes: 100 } });
    expect(ended.lines.map((line) => line.length)).toEqual([100, 100, 100, 4]);
    expect(ended.notes).toEqual(["2 output line(s) longer than 100 bytes were cut"]);
  });

  it("drops what goes beyond the total, on disk too, and ends the program", async () => {
    using bench = workbench();
    const ended = await bench.run("seq 1 5000; while :; do sleep 0.1; echo more; done", {
      limits: { totalBytes: 10_000 },
    });
    expect(ended.ending).toEqual({ kind: "over-limit", excess: { limit: "output", most: 10_000 } });
    expect(ended.notes).toEqual(["output beyond 10000 bytes was dropped"]);
    expect(statSync(bench.stdoutFile).size).toBe(10_000);
    expect(ended.lines.join("\n").length).toBeLessThanOrEqual(10_000);
  });

  it("bounds standard error and still knows its end", async () => {
    using bench = workbench();
    const ended = await bench.run("seq 1 50000 >&2; sleep 0.3; exit 1", { limits: { totalBytes: 10_000 } });
    expect(ended.notes).toEqual(["standard error beyond 10000 bytes was dropped"]);
    expect(statSync(bench.stderrFile).size).toBe(10_000);
    expect(ended.stderrTail).toMatch(/\n50000\n$/);
  });

  it("bounds a flood of standard error while it lasts", async () => {
    using bench = workbench();
    const flood = "yes flood | head -c 30000000 >&2; sleep 0.5; stat -c %s /proc/self/fd/2 -L; echo over >&2";
    const ended = await bench.run(flood, { limits: { totalBytes: 10_000 } });
    expect(Number(ended.lines[0])).toBeLessThan(10_000_000);
    expect(statSync(bench.stderrFile).size).toBe(10_000);
    expect(ended.stderrTail).toMatch(/over\n$/);
  });
});

describe("a mistake of ours", () => {
  it("in the watcher ends the program and is thrown", async () => {
    using bench = workbench();
    const watch = (): undefined => {
      throw new Error("our mistake");
    };
    await expect(bench.run(STAND_INS.deaf, { watch })).rejects.toThrow("our mistake");
    expect(bench.survivors()).toEqual([]);
  });

  it("in the choice of files is thrown before anything starts", async () => {
    using bench = workbench();
    const stdoutFile = join(bench.folder, "missing/stdout");
    await expect(bench.run("touch began", { stdoutFile })).rejects.toThrow("ENOENT");
    expect(() => statSync(join(bench.folder, "workspace/began"))).toThrow("ENOENT");
  });
});
