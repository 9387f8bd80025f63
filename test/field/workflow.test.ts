import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { builtCommand } from "../support/built-command.ts";
import { tempTree } from "../support/temp-tree.ts";
import { PROJECT, stubClients } from "./cell.ts";
import { GOOD, strictService } from "./strict-service.ts";

const PAGE = fileURLToPath(new URL("../../docs/ci.md", import.meta.url));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const run = promisify(execFile);

it("the workflow of docs/ci.md passes on a clean machine", async () => {
  const page = await readFile(PAGE, "utf8");
  const text = /```yaml\n(name: skills[\s\S]*?)```/.exec(page)?.[1] ?? "";
  const { jobs } = parse(text) as { jobs: { assay: { env: Record<string, string>; steps: Step[] } } };
  const { env, steps } = jobs.assay;
  expect(steps.find(({ uses }) => uses?.startsWith("actions/checkout"))?.with).toEqual({ "fetch-depth": 0 });
  expect(steps.some(({ uses }) => uses?.startsWith("actions/setup-node"))).toBe(true);
  const commands = steps.flatMap((step) => step.run ?? []);
  expect(commands[0]).toBe("npm install -g assay @anthropic-ai/claude-code");

  await using command = await builtCommand();
  await using service = await strictService();
  await using clients = await stubClients();
  await using home = await tempTree();
  await using checkout = await tempTree(PROJECT);
  await using bin = await tempTree({
    assay: `#!/bin/sh\nexec ${process.execPath} ${command.path} "$@"\n`,
    claude: `->${clients.claude}`,
  });
  await run("chmod", ["+x", bin.path("assay")]);
  await mkdir(home.path("tmp"));
  const machine = {
    PATH: `${bin.root}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home.root,
    TMPDIR: home.path("tmp"),
    ANTHROPIC_BASE_URL: service.url,
    ...Object.fromEntries(Object.keys(env).map((name) => [name, GOOD.anthropicKey])),
  };
  await branchWithChange(checkout.root, machine);
  for (const line of commands.slice(1)) {
    const ended = await run("/bin/sh", ["-ec", line], { cwd: checkout.root, env: machine }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ failed: line, stdout, stderr }),
    );
    expect(ended).not.toHaveProperty("failed");
  }
  expect(await readFile(join(checkout.root, "assay.xml"), "utf8")).toContain("greeter");
}, 120_000);

/** A pull request: the skill changed since origin/main. */
async function branchWithChange(root: string, env: Readonly<Record<string, string>>): Promise<void> {
  const git = (...args: readonly string[]) =>
    run("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: root, env });
  await git("init", "-q");
  await git("add", "-A");
  await git("commit", "-qm", "first");
  await git("update-ref", "refs/remotes/origin/main", "HEAD");
  await writeFile(
    join(root, "skills/greeter/SKILL.md"),
    "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay a warm hello.\n",
  );
  await git("commit", "-qam", "second");
}
