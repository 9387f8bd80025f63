import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unshare } from "../../src/run/sandboxes/unshare.ts";
import { builtCommand } from "../support/built-command.ts";
import { greeterProject, RUN } from "../support/project.ts";
import { tempTree } from "../support/temp-tree.ts";

/** Not real, of no shape that could be told without knowing it, and in no other process of this machine. */
const KEY = `Wq8Zr2mT9-${randomUUID()}`;

let command: Awaited<ReturnType<typeof builtCommand>>;
beforeAll(async () => void (command = await builtCommand()), 60_000);
afterAll(() => command[Symbol.asyncDispose]());

/** Looks for the key in whatever process there is, as any program of the user's may. The key is put together only then. */
const [front, back] = [KEY.slice(0, 9), KEY.slice(9)];
const SEARCH = `k=${front}; k=$k${back}; for f in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $f; done 2>/dev/null | grep -c -- "$k" > found.txt; true`;
const STEPS = [{ steps: [{ skill: "greeter" }, { bash: SEARCH }, { text: "Hello Ada and Bob" }] }];

/** The key comes into being with the command, as where a shell sets it for one call. */
async function run(sandbox: string, { shell = "" } = {}) {
  await using project = await greeterProject(STEPS, {});
  await using home = await tempTree();
  await using other = await tempTree({ key: KEY });
  const call = `ANTHROPIC_API_KEY=$(cat ${other.path("key")}) OTHER_HEADER="x-api-key: $(cat ${other.path("key")})" ${shell} "$@"`;
  const args = [process.execPath, command.path, ...RUN, "--no-grade", "--case", "1", "--sandbox", sandbox];
  const { status, stderr } = spawnSync("/bin/sh", ["-c", call, "sh", ...args], {
    cwd: project.root,
    env: { PATH: process.env["PATH"] ?? "", HOME: home.root, ANTHROPIC_BASE_URL: "http://127.0.0.1:9" },
    encoding: "utf8",
  });
  const outputs = ".assay/greeter/iteration-1/eval-1/with_skill/run-1/outputs";
  return { status, stderr, found: Number(readFileSync(project.path(`${outputs}/found.txt`), "utf8")) };
}

const unheld = (await unshare().unavailable()) === null ? ["none", "unshare"] : ["none"];

describe.skipIf(process.platform !== "linux")("a key in the environment of the command", () => {
  it.each(unheld)(
    "is in no environment that an agent can read with --sandbox %s",
    { timeout: 120_000 },
    async (sandbox) => {
      const { status, stderr, found } = await run(sandbox);
      expect({ status, found }).toEqual({ status: 0, found: 0 });
      expect(stderr).not.toContain("agents can read ANTHROPIC_API_KEY");
    },
  );

  it("is told where who started the command shows it", { timeout: 120_000 }, async () => {
    const { status, stderr, found } = await run("none", { shell: `/bin/sh -c '"$@"; exit $?' sh` });
    expect(status).toBe(0);
    expect(found).toBeGreaterThan(0);
    expect(stderr).toMatch(/agents can read ANTHROPIC_API_KEY in the environment of sh \(\d+\)/);
  });
});
