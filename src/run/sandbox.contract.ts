import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { STAND_INS } from "./process/fixtures/stand-ins.ts";
import { abortAtFirstLine, workbench, type Workbench } from "./process/fixtures/workbench.ts";
import { whyOverlayFails } from "./process/probe.ts";
import type { Sandbox, TrialGround } from "./sandbox.ts";

const BRIEF = { interruptMs: 50, terminateMs: 50 };

/** What every sandbox promises. Skipped, with the reason in its title, where the sandbox does not work. */
export async function sandboxContract(sandbox: Sandbox): Promise<void> {
  const reason = await sandbox.unavailable();
  describe.skipIf(reason !== null)(
    `sandbox ${sandbox.name}${reason === null ? "" : ` (skipped: ${reason})`}`,
    () => {
      runsPrograms(sandbox);
      hearsPrograms(sandbox);
      admitsPrograms(sandbox);
      endsPrograms(sandbox);
    },
  );
  const overlayReason = reason ?? (await whyOverlayFails(sandbox, tmpdir()));
  const why = overlayReason === null ? "" : ` (skipped: ${overlayReason})`;
  describe.skipIf(overlayReason !== null)(`sandbox ${sandbox.name} with overlays${why}`, () => {
    mountsOverlays(sandbox);
  });
}

function runsPrograms(sandbox: Sandbox): void {
  it("runs a program in the workspace, with its input, environment, arguments and exit code", async () => {
    using bench = workbench();
    const script = `pwd; cat; echo "$GIVEN"; for a; do printf '<%s>' "$a"; done; echo; exit 7`;
    const args = ["two words", `"'$HOME\`id\``, "", "new\nline", "--", "-x", "é"];
    const env = { PATH: "/usr/bin:/bin", GIVEN: "a value" };
    const ended = await bench.run(script, { args, sandbox, command: { stdin: "from stdin\n", env } });
    const { workspace } = sandbox.places(bench.ground);
    expect(ended.lines.join("\n")).toBe(
      [workspace, "from stdin", "a value", args.map((arg) => `<${arg}>`).join("")].join("\n"),
    );
    expect(ended.ending).toEqual({ kind: "exited", code: 7, signal: null });
  });

  it("passes on the environment and little else", async () => {
    using bench = workbench();
    const env = { PATH: "/usr/bin:/bin", GIVEN: "1" };
    const ended = await bench.run("", { sandbox, command: { program: "/usr/bin/env", args: [], env } });
    const names = ended.lines.map((line) => line.split("=")[0]);
    expect(names).toEqual(expect.arrayContaining(["PATH", "GIVEN"]));
    const ours = new Set(["PATH", "GIVEN", "ASSAY_TRIAL", "PWD", "OLDPWD", "SHLVL", "_"]);
    expect(names.filter((name) => !ours.has(name ?? ""))).toEqual([]);
  });

  it("keeps what is written to the trial's directories", async () => {
    using bench = workbench();
    const { workspace, home, temp } = sandbox.places(bench.ground);
    const ended = await bench.run(`for f; do mkdir -p "$f/deep" && echo "in $f" > "$f/deep/file"; done`, {
      sandbox,
      args: [workspace, home, temp],
    });
    expect(ended.stderrTail).toBe("");
    for (const [inside, outside] of [
      [workspace, join(bench.folder, "workspace")],
      [home, bench.ground.home],
      [temp, bench.ground.temp],
    ] as const) {
      expect(readFileSync(join(outside, "deep/file"), "utf8")).toBe(`in ${inside}\n`);
    }
  });

  it("makes the user the owner of the trial's directories, and someone with a name", async () => {
    using bench = workbench();
    const { workspace, home } = sandbox.places(bench.ground);
    const ended = await bench.run(`id -u; stat -c %u "$@"`, { sandbox, args: [workspace, home] });
    const uid = String(process.getuid?.());
    expect(ended.lines).toEqual([uid, uid, uid]);
  });

  it("lets a program installed in a home run", async () => {
    const installation = mkdtempSync(join(homedir(), ".sandbox-contract-"));
    onTestFinished(() => rmSync(installation, { recursive: true, force: true }));
    using bench = workbench();
    const program = join(installation, "agent");
    writeFileSync(program, "#!/bin/sh\necho running\n", { mode: 0o755 });
    const ground: TrialGround = { ...bench.ground, readable: [installation] };
    const ended = await bench.run("", { sandbox, ground, command: { program, args: [] } });
    expect(ended.lines).toEqual(["running"]);
  });

  it("says when the program is not there", async () => {
    using bench = workbench();
    const ended = await bench.run("", { sandbox, command: { program: "/nowhere/agent" } });
    expect(ended.ending).toEqual({ kind: "not-started", reason: expect.stringContaining("/nowhere/agent") });
  });

  it("does not take a program's own exit with 127 for that", async () => {
    using bench = workbench();
    const ended = await bench.run("no-such-command-anywhere", { sandbox });
    expect(ended.ending).toEqual({ kind: "exited", code: 127, signal: null });
  });
}

function hearsPrograms(sandbox: Sandbox): void {
  it("lets nobody but the program itself speak for it, or take back what it said", async () => {
    using bench = workbench();
    // Without a PID namespace, the first process would be the machine's own.
    const speakers = sandbox.contained ? "/proc/$$ /proc/1" : "/proc/$$";
    const script = `echo said; for p in ${speakers}; do
  for fd in $(ls $p/fd); do
    test $fd = 2 || (echo forged >> $p/fd/$fd) 2>/dev/null
    test $fd = 2 || (: > $p/fd/$fd) 2>/dev/null
  done
done; echo more`;
    const ended = await bench.run(script, { sandbox });
    expect(ended.lines).toEqual(["said", "more"]);
    expect(readFileSync(bench.stdoutFile, "utf8")).toBe("said\nmore\n");
  });
}

function admitsPrograms(sandbox: Sandbox): void {
  it("runs nothing of a program before it is admitted, and counts its time from then on", async () => {
    using bench = workbench();
    const ran = join(bench.folder, "workspace/ran");
    let early: boolean | null = null;
    const ended = await bench.run(
      "touch ran; cat; test -e /proc/$$/fd/3 -o -e /proc/$$/fd/4 && echo open; sleep 0.1",
      {
        sandbox,
        command: { stdin: "the prompt\n" },
        async admit() {
          await wait(700);
          early = existsSync(ran);
          return performance.now() + 10_000;
        },
        get deadlineMs() {
          return performance.now() + 300;
        },
      },
    );
    expect(early).toBe(false);
    expect(ended.ending).toEqual({ kind: "exited", code: 0, signal: null });
    expect(ended.lines).toEqual(["the prompt"]);
    expect(ended.durationMs).toBeLessThan(650);
    expect(existsSync(ran)).toBe(true);
  });

  it("never runs a program that is admitted only after the runner was told to stop", async () => {
    using bench = workbench();
    const stop = new AbortController();
    const ended = await bench.run("touch ran", {
      sandbox,
      signal: stop.signal,
      async admit() {
        stop.abort();
        return performance.now() + 10_000;
      },
    });
    expect(ended.ending).toEqual({ kind: "aborted" });
    expect(existsSync(join(bench.folder, "workspace/ran"))).toBe(false);
    expect(bench.survivors()).toEqual([]);
  });

  it("leaves nothing of a program whose admission fails", async () => {
    using bench = workbench();
    const admit = (): Promise<number> => Promise.reject(new Error("our mistake"));
    await expect(bench.run("touch ran", { sandbox, admit })).rejects.toThrow("our mistake");
    expect(bench.survivors()).toEqual([]);
    expect(existsSync(join(bench.folder, "workspace/ran"))).toBe(false);
  });

  it("ends the admitted program at its deadline", async () => {
    using bench = workbench();
    const ended = await bench.run("echo here; sleep 20", {
      sandbox,
      grace: BRIEF,
      admit: async () => performance.now() + 300,
    });
    expect(ended.ending).toEqual({ kind: "timed-out" });
    expect(bench.survivors()).toEqual([]);
  });
}

function endsPrograms(sandbox: Sandbox): void {
  it("leaves nothing, however early in its start it is ended", async () => {
    using bench = workbench();
    for (const delayMs of Array.from({ length: 20 }, (_, index) => index / 2)) {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), delayMs);
      const { ending } = await bench.run("sleep 20", { sandbox, signal: stop.signal, grace: BRIEF });
      expect(ending).toEqual({ kind: "aborted" });
    }
    expect(bench.survivors()).toEqual([]);
  });

  it("lets an interrupted program finish its last words", async () => {
    using bench = workbench();
    const ended = await bench.run(STAND_INS.polite, { sandbox, ...abortAtFirstLine() });
    expect(ended.ending).toEqual({ kind: "aborted" });
    expect(ended.lines).toEqual(["ready", "bye"]);
  });

  it("kills a program that ignores every request", async () => {
    using bench = workbench();
    const ended = await bench.run(STAND_INS.deaf, { sandbox, grace: BRIEF, ...abortAtFirstLine() });
    expect(ended.ending).toEqual({ kind: "aborted" });
    expect(ended.durationMs).toBeLessThan(10_000);
    expect(bench.survivors()).toEqual([]);
  });

  it("leaves no daemon behind when it ends a program", async () => {
    using bench = workbench();
    const overrides = { sandbox, args: ["stay"], grace: BRIEF, ...abortAtFirstLine() };
    const ended = await bench.run(STAND_INS.daemon, overrides);
    expect(ended.ending).toEqual({ kind: "aborted" });
    expect(bench.survivors()).toEqual([]);
    expect(ended.notes.some((note) => note.startsWith("leaky"))).toBe(!sandbox.contained);
  });

  it("leaves no daemon behind when a program ends by itself", async () => {
    using bench = workbench();
    const ended = await bench.run(STAND_INS.daemon, { sandbox, args: ["go"] });
    expect(ended.ending).toEqual({ kind: "exited", code: 0, signal: null });
    expect(bench.survivors()).toEqual([]);
    expect(ended.notes.some((note) => note.startsWith("leaky"))).toBe(!sandbox.contained);
  });
}

function mountsOverlays(sandbox: Sandbox): void {
  it("shows the layers as one workspace and keeps exactly the changes", async () => {
    using bench = workbench();
    const { ground, upper, lowers } = overlayGround(bench);
    writeFileSync(join(lowers[0], "both"), "top\n");
    writeFileSync(join(lowers[1], "both"), "bottom\n");
    writeFileSync(join(lowers[1], "removed"), "");
    writeFileSync(join(lowers[1], "changed"), "before\n");
    const ended = await bench.run(
      "cat both changed; echo after > changed; rm removed; echo new > made; pwd",
      {
        sandbox,
        ground,
      },
    );
    expect(ended.stderrTail).toBe("");
    expect(ended.lines).toEqual(["top", "before", sandbox.places(ground).workspace]);
    expect(readdirSync(upper).sort()).toEqual(["changed", "made", "removed"]);
    expect(readFileSync(join(upper, "changed"), "utf8")).toBe("after\n");
    expect(readFileSync(join(lowers[1], "changed"), "utf8")).toBe("before\n");
    expect(readdirSync(join(bench.folder, "mount"))).toEqual([]);
  });

  it("finds the changes again in the next command", async () => {
    using bench = workbench();
    const { ground } = overlayGround(bench);
    await bench.run("echo kept > file", { sandbox, ground });
    expect((await bench.run("cat file", { sandbox, ground })).lines).toEqual(["kept"]);
  });

  it("keeps the disk out of it: what a command leaves unwritten is nobody's to wait for", async () => {
    using bench = workbench();
    const { ground } = overlayGround(bench);
    const { lines } = await bench.run("grep -o ' - overlay .*' /proc/self/mountinfo", { sandbox, ground });
    expect(lines.find((line) => line.includes(`${bench.folder}/upper`))).toContain("volatile");
  });

  it("ends programs there as anywhere else", async () => {
    using bench = workbench();
    const { ground } = overlayGround(bench);
    const polite = await bench.run(STAND_INS.polite, { sandbox, ground, ...abortAtFirstLine() });
    expect(polite.lines).toEqual(["ready", "bye"]);
    const overrides = { sandbox, ground, args: ["stay"], grace: BRIEF, ...abortAtFirstLine() };
    expect((await bench.run(STAND_INS.daemon, overrides)).ending).toEqual({ kind: "aborted" });
    expect(bench.survivors()).toEqual([]);
  });

  it("says why when the layers cannot be mounted", async () => {
    using bench = workbench();
    const { ground, upper } = overlayGround(bench);
    rmSync(upper, { recursive: true });
    const ended = await bench.run("echo unseen", { sandbox, ground });
    expect(ended.ending).toEqual({ kind: "not-started", reason: expect.stringContaining("mount") });
    expect(existsSync(join(bench.folder, "mount/file"))).toBe(false);
  });
}

function overlayGround(bench: Workbench): {
  ground: TrialGround;
  upper: string;
  lowers: readonly [string, string];
} {
  const at = (name: string): string => join(bench.folder, name);
  const lowers = [at("lower-top"), at("lower-bottom")] as const;
  const [upper, work, mountPoint] = [at("upper"), at("work"), at("mount")];
  for (const path of [...lowers, upper, work, mountPoint]) mkdirSync(path);
  return {
    ground: { ...bench.ground, workspace: { kind: "overlay", lower: lowers, upper, work, mountPoint } },
    upper,
    lowers,
  };
}
