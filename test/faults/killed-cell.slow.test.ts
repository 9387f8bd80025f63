import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bwrap } from "../../src/run/sandboxes/bwrap.ts";
import { builtCommand } from "../support/built-command.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { mountsBelow, processesNow, processesOf } from "./strays.ts";

const unavailable = await bwrap().unavailable();

let command: Awaited<ReturnType<typeof builtCommand>>;
beforeAll(async () => {
  command = await builtCommand();
}, 120_000);
afterAll(() => command[Symbol.asyncDispose]());

describe.skipIf(unavailable !== null)(
  "a runner that is killed while its agents have a network of their own",
  () => {
    it(
      "leaves no relay, no agent, no mount, and no socket for the next runner to keep",
      { timeout: 180_000 },
      async () => {
        await using project = await greeterProject(GOOD_REPLIES, {
          "agent.sh": "#!/bin/bash\ncat > /dev/null\nsleep 600\n",
        });
        await chmod(project.path("agent.sh"), 0o755);
        await mkdir(project.path("tmp"));
        const env = { PATH: process.env["PATH"], HOME: project.root, TMPDIR: project.path("tmp") };
        const start = (args: readonly string[]) =>
          spawn(process.execPath, [command.path, ...args], { cwd: project.root, env, stdio: "ignore" });

        const agent = ["--harness", "command", "--command", project.path("agent.sh")];
        const reach = ["--sandbox", "bwrap", "--allow-host", "vendor.invalid"];
        const runner = start(["run", "skills/greeter", "--case", "1", ...agent, ...reach]);
        const ended = once(runner, "exit");
        const isThere = (part: string) => processesNow(project.root).some((one) => one.includes(part));
        while (runner.exitCode === null && !(isThere("--unshare-net") && isThere("/bin/bash ")))
          await wait(50);
        expect(runner.exitCode).toBeNull();

        runner.kill("SIGKILL");
        await ended;
        expect(await processesOf(project.root)).toEqual([]);
        expect(mountsBelow(project.root)).toEqual([]);
        expect(await once(start([...RUN, "--case", "1"]), "exit")).toEqual([0, null]);
        expect(await readdir(project.path("tmp"))).toEqual([]);
      },
    );
  },
);
