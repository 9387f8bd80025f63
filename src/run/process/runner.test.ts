import { execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TrialGround } from "../sandbox.ts";
import { sandboxes } from "../sandboxes/index.ts";
import { bundleRunner, type RunnerFile } from "./fixtures/bundle.ts";
import type { RunnerReply, RunnerRequest } from "./fixtures/runner.ts";
import { STAND_INS } from "./fixtures/stand-ins.ts";
import { workbench, type Workbench } from "./fixtures/workbench.ts";

let runner: RunnerFile;
beforeAll(async () => {
  runner = await bundleRunner();
});
afterAll(() => runner[Symbol.dispose]());

const working = await Promise.all(
  sandboxes.map(async ({ create }) => {
    const sandbox = create({});
    return {
      name: sandbox.name,
      works: (await sandbox.unavailable()) === null,
      // The one that is not ours mounts none.
      overlays: sandbox.contained && sandbox.name !== "sandbox-runtime",
    };
  }),
);

describe("a runner that is killed with -9", () => {
  const cases = working.flatMap(({ name, overlays, works }) =>
    (overlays ? (["directory", "overlay"] as const) : (["directory"] as const)).map((kind) => ({
      name,
      works,
      kind,
    })),
  );

  it.for(cases)(
    "leaves no agent running in $name with a workspace of kind $kind",
    async ({ name, works, kind }, context) => {
      if (!works) context.skip(`${name} does not work here`);
      using bench = workbench();
      const request = requestOf(bench, name, STAND_INS.daemon, { kind, args: ["stay"] });
      const child = spawn(process.execPath, [runner.path, JSON.stringify(request)], { stdio: "ignore" });
      await until(() => existsSync(bench.stdoutFile) && readFileSync(bench.stdoutFile, "utf8") === "stay\n");
      expect(bench.survivors().length).toBeGreaterThanOrEqual(2);
      child.kill("SIGKILL");
      await until(() => bench.survivors().length === 0);
      expect(bench.survivors()).toEqual([]);
    },
  );
});

describe.skipIf(process.getuid?.() !== 0)(
  "a runner that is a plain user (tested when started by root)",
  () => {
    const cases = working.flatMap(({ name, overlays, works }) =>
      (overlays ? (["directory", "overlay"] as const) : (["directory"] as const)).map((kind) => ({
        name,
        works,
        kind,
      })),
    );

    it.for(cases)(
      "works with $name and a workspace of kind $kind",
      async ({ name, works, kind }, context) => {
        if (!works) context.skip(`${name} does not work here`);
        using bench = workbench();
        const script = `id -u; touch made; ls "$HOME" > /dev/null; head -c1 /proc/1/environ; pwd >&2; ${STAND_INS.daemon}`;
        const request = requestOf(bench, name, script, { kind, args: ["go"] });
        giveTo(NOBODY, bench.folder);
        const asNobody = [
          `--reuid=${NOBODY}`,
          `--regid=${NOBODY}`,
          "--clear-groups",
          process.execPath,
          runner.path,
        ];
        const { stdout } = await promisify(execFile)("setpriv", [...asNobody, JSON.stringify(request)], {
          cwd: "/",
        });
        const reply = JSON.parse(stdout) as RunnerReply;
        if ("unavailable" in reply) return context.skip(reply.unavailable);
        expect(reply.supervised.ending).toEqual({ kind: "exited", code: 0, signal: null });
        expect(readFileSync(bench.stdoutFile, "utf8").split("\n")[0]).toBe(String(NOBODY));
        expect(reply.supervised.stderrTail).toContain(reply.places.workspace);
        const made = join(bench.folder, kind === "overlay" ? "upper" : "workspace", "made");
        expect(statSync(made).uid).toBe(NOBODY);
        expect(bench.survivors()).toEqual([]);
      },
    );
  },
);

const NOBODY = 65_534;

function requestOf(
  bench: Workbench,
  sandbox: string,
  script: string,
  { kind, args }: { kind: "directory" | "overlay"; args: readonly string[] },
): RunnerRequest {
  const at = (name: string): string => join(bench.folder, name);
  const overlay = {
    kind: "overlay",
    lower: [at("lower")],
    upper: at("upper"),
    work: at("work"),
    mountPoint: at("mount"),
  } as const;
  for (const name of ["lower", "upper", "work", "mount"]) mkdirSync(at(name));
  const ground: TrialGround = kind === "overlay" ? { ...bench.ground, workspace: overlay } : bench.ground;
  const { stdoutFile, stderrFile } = bench;
  return {
    sandbox,
    ground,
    command: bench.command(script, { args }),
    stdoutFile,
    stderrFile,
    timeoutMs: 15_000,
  };
}

function giveTo(uid: number, folder: string): void {
  chownSync(folder, uid, uid);
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) giveTo(uid, join(folder, entry.name));
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition() && waited < 10_000; waited += 20) await sleep(20);
}
