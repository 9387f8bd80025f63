import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCommand } from "../support/built-command.ts";
import { EXAMPLES } from "../support/examples.ts";
import { GOOD_REPLIES, greeterProject, journal, RUN } from "../support/project.ts";
import { tempTree } from "../support/temp-tree.ts";

const BWRAP = "/usr/bin/bwrap";
const UNSHARE = "/usr/bin/unshare";

let command: Awaited<ReturnType<typeof builtCommand>>;
beforeAll(async () => {
  command = await builtCommand();
  await cp(EXAMPLES, join(dirname(command.path), "..", "examples"), { recursive: true });
}, 60_000);
afterAll(() => command[Symbol.asyncDispose]());

/** The built command on this machine, but neither bwrap nor unshare can be started. */
function withoutSandbox(args: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
  const masked = [BWRAP, UNSHARE].flatMap((program) => ["--ro-bind", "/dev/null", program]);
  const { status, stdout, stderr } = spawnSync(
    BWRAP,
    ["--dev-bind", "/", "/", ...masked, "--chdir", cwd, process.execPath, command.path, ...args],
    { encoding: "utf8", env: { PATH: process.env["PATH"] ?? "", ...env } },
  );
  return { status, stdout, stderr };
}

describe.skipIf(!existsSync(BWRAP) || !existsSync(UNSHARE))("where no sandbox works", () => {
  it("nothing is run, and the fix is named", { timeout: 60_000 }, async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await using home = await tempTree();
    const { status, stderr } = withoutSandbox(RUN, { cwd: project.root, env: { HOME: home.root } });
    expect(status).toBe(2);
    expect(stderr).toContain("no sandbox works here, so nothing was run: bwrap does not work here");
    expect(stderr).toContain("apt install bubblewrap");
    expect(stderr).toContain("--sandbox none");
    expect(stderr).toContain("[run/no-sandbox]");
    const events = existsSync(project.path(".assay")) ? await journal(project.root) : [];
    expect(events.filter(({ kind }) => kind === "trial-finished")).toEqual([]);
  });

  it.each([
    ["a flag", ["--sandbox", "none"], {}, {}],
    ["the environment", [], { ASSAY_SANDBOX: "none" }, {}],
    ["their own configuration", [], {}, { ".config/assay/config.json": '{ "sandbox": "none" }' }],
  ])("the user can do without by %s, and hears once what it means", { timeout: 60_000 }, async (...said) => {
    const [, flags, env, files] = said;
    await using project = await greeterProject(GOOD_REPLIES);
    await using home = await tempTree({ ...files });
    const called = withoutSandbox([...RUN, ...flags], {
      cwd: project.root,
      env: { HOME: home.root, ...env },
    });
    expect(called.status).toBe(0);
    expect(called.stderr.split("running without a sandbox: agents can read and change")).toHaveLength(2);
    const runs = (await journal(project.root)).filter((one) => one.kind === "trial-finished");
    expect(runs.map(({ run }) => run.conditions.sandbox)).toEqual(["none", "none"]);
  });

  it("the demo still shows what Assay does", { timeout: 120_000 }, async () => {
    await using home = await tempTree();
    const { status, stderr } = withoutSandbox(["demo", "csv-report"], {
      cwd: home.root,
      env: { HOME: home.root },
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  });
});
