import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtCommand } from "../support/built-command.ts";
import { EXAMPLES } from "../support/examples.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { tempTree } from "../support/temp-tree.ts";

let command: Awaited<ReturnType<typeof builtCommand>>;
beforeAll(async () => {
  command = await builtCommand();
}, 60_000);
afterAll(() => command[Symbol.asyncDispose]());

function run(args: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command.path, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    cwd: options.cwd ?? EXAMPLES,
    env: { PATH: process.env["PATH"] ?? "", ...options.env },
  });
  return { status, stdout, stderr };
}

const SKILL = "---\nname: tidy\ndescription: Tidies.\n---\nDo it.\n";

/** A skill whose findings fill about a hundred kilobytes per thousand assertions. */
const noisy = (assertions: number) => ({
  "tidy/SKILL.md": SKILL,
  "tidy/SKILL.eval.json": JSON.stringify({
    assertions: Array.from({ length: assertions }, (_, i) => ({ id: `c${i}`, type: "contains", nedle: "x" })),
  }),
});

describe("the built command", () => {
  it("reuses runs whatever file of the project its own output went to", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const logged = (args: string, log: string) =>
      spawnSync("sh", ["-c", `"$0" "$1" ${args} > ${log} 2>&1`, process.execPath, command.path], {
        cwd: project.root,
        env: { PATH: process.env["PATH"] ?? "" },
      }).status;
    expect(logged(RUN.join(" "), "skills/greeter/run.log")).toBe(0);
    expect(logged([...RUN, "--resume"].join(" "), "again.log")).toBe(0);
    expect(await readFile(project.path("again.log"), "utf8")).toContain("2 runs reused\n");
    expect(run([...RUN, "--resume"], { cwd: project.root }).stderr).toContain("2 runs reused\n");
  }, 60_000);

  it("says so where its folder is gone, and its version all the same", async () => {
    await using tree = await tempTree({ "gone/x": "" });
    const fromGone = (arg: string) =>
      spawnSync(
        "sh",
        ["-c", 'cd gone && rm -r ../gone && exec "$0" "$1" "$2"', process.execPath, command.path, arg],
        {
          cwd: tree.root,
          encoding: "utf8",
        },
      );
    expect(fromGone("check")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: the folder that this command was started in no longer exists/),
    });
    await mkdir(tree.path("gone"), { recursive: true });
    expect(fromGone("--version")).toMatchObject({ status: 0, stderr: "" });
  });

  it.each([
    ["", "HOME is not set"],
    ["my/home", 'HOME is "my/home", which is not an absolute path'],
  ])("says what is wrong with HOME=%s", (HOME, problem) => {
    const { status, stderr } = run(["doctor"], { env: { HOME } });
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: `error: ${problem} [machine/no-home]\n  hint: set HOME to the absolute path of a folder of yours\n`,
    });
  });

  it("is executable as it is, and says its version", async () => {
    expect((await stat(command.path)).mode & 0o111).not.toBe(0);
    const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
    expect(spawnSync(command.path, ["--version"], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
  });

  it.each([
    [["check"], 0, /^ok: 4 skills, 8 eval files, \d+ cases; 0 errors, 0 notes\n$/],
    [["list", "csv-report"], 0, /^skill +format/],
    [["schema", "clauditor"], 0, /"\$schema"/],
    [["convert", "csv-report/evals/evals.json", "--to", "skill-creator"], 0, /"skill_name": "csv-report"/],
    [["check", "nowhere"], 2, /no such file or directory/],
  ])("does %j without commands or libraries from elsewhere", (args, status, stdout) => {
    expect(run(args)).toEqual({ status, stdout: expect.stringMatching(stdout), stderr: "" });
  });

  it("does not look done where its configuration never answers", async () => {
    const config = "await new Promise(() => {});\nexport default {};\n";
    await using project = await greeterProject(GOOD_REPLIES, { "never.mjs": config });
    const { status, stderr } = run([...RUN, "--config", "never.mjs"], { cwd: project.root });
    expect(status).toBe(3);
    expect(stderr).toContain("something it waited for never answered");
  });

  it("writes mistakes to standard error only", () => {
    expect(run(["chek"])).toEqual({
      status: 2,
      stdout: "",
      stderr: 'error: there is no command "chek"\n  hint: did you mean assay check?\n',
    });
  });

  it("prints tens of megabytes whole to a reader that takes its time", async () => {
    await using tree = await tempTree(noisy(60_000));
    const child = spawn(process.execPath, [command.path, "check", "--json"], { cwd: tree.root });
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (chunks.length % 50 === 0) await new Promise((wake) => setTimeout(wake, 5));
    }
    expect(await exitOf(child)).toBe(2);
    const text = Buffer.concat(chunks).toString();
    expect(text.length).toBeGreaterThan(20_000_000);
    expect((JSON.parse(text) as { diagnostics: unknown[] }).diagnostics.length).toBeGreaterThanOrEqual(
      60_000,
    );
  }, 60_000);

  it("ends quietly when its reader has seen enough", async () => {
    await using tree = await tempTree(noisy(5_000));
    const child = spawn(process.execPath, [command.path, "check"], { cwd: tree.root });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    await once(child.stdout, "data");
    child.stdout.destroy();
    // How it ended is no different because nobody read to the end.
    expect(await exitOf(child)).toBe(2);
    expect(err).toBe("");
  });

  const asRoot = process.geteuid?.() === 0;
  const hasSetpriv = shell("setpriv --version").status === 0;

  it.skipIf(asRoot && !hasSetpriv)("says which directory it may not read", async () => {
    await using tree = await tempTree({ "tidy/SKILL.md": SKILL });
    await mkdir(tree.path("tidy/evals"));
    await chmod(tree.path("tidy/evals"), 0o000);
    await chmod(tree.root, 0o755);
    const drop = asRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "";
    // The build is in a private folder of this user's.
    await chmod(command.path.replace(/\/bin\/assay\.js$/, ""), 0o755);
    const line = `${drop} ${process.execPath} ${command.path} check tidy`;
    const { status, stdout, stderr } = shell(line, { cwd: tree.root });
    await chmod(tree.path("tidy/evals"), 0o700);
    expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
    expect(stdout).toMatch(
      /^tidy\/evals:1:1 error: the directory cannot be read: permission denied .*\n {2}hint: /,
    );
    expect(stdout.match(/ error: /g)).toHaveLength(1);
  });
});

const hasScript = shell("script --version").status === 0;

describe.skipIf(!hasScript)("at a terminal (skipped where there is no `script` to make one)", () => {
  function atTerminal(env: Record<string, string>): string {
    const line = `script --quiet --return --command "${process.execPath} ${command.path} check nowhere" /dev/null`;
    const { stdout } = shell(line, { env: { TERM: "xterm", ...env } });
    return stdout;
  }

  it("colours what it says", () => {
    expect(atTerminal({})).toContain("\u001B[31merror\u001B[39m");
  });

  it.each([
    ["NO_COLOR is set", { NO_COLOR: "1" }],
    ["the terminal is dumb", { TERM: "dumb" }],
  ])("does not when %s", (_, env) => {
    expect(atTerminal(env)).not.toContain("\u001B[");
  });

  it("does when NO_COLOR is empty, as its own rules have it", () => {
    expect(atTerminal({ NO_COLOR: "" })).toContain("\u001B[31m");
  });
});

function shell(line: string, options: { cwd?: string; env?: Record<string, string> } = {}) {
  return spawnSync("sh", ["-c", line], {
    encoding: "utf8",
    cwd: options.cwd ?? EXAMPLES,
    env: { PATH: process.env["PATH"] ?? "", ...options.env },
  });
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
