import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { tempTree } from "../../../test/support/temp-tree.ts";
import { openGroup, openGroups } from "./control-group.ts";

const NONE = { memoryBytes: Number.MAX_SAFE_INTEGER, processes: Number.MAX_SAFE_INTEGER };
const COMMAND = { program: "/bin/sleep", args: ["600"], cwd: "/", env: {}, stdin: "" };
const mount = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].find((one) =>
  existsSync(join(one, "cgroup.procs")),
);

/** A group of the machine to make groups in, as a login has one; null where nobody lets us make one. */
function loginGroup(): (Disposable & { readonly name: string; readonly path: string }) | null {
  const name = `assay-test-${randomBytes(4).toString("hex")}`;
  const path = join(mount ?? "/nowhere", name);
  try {
    mkdirSync(path);
  } catch {
    return null;
  }
  return { name, path, [Symbol.dispose]: () => rmdirSync(path) };
}

/** No controllers are needed to join, end and remove groups; machines may have given theirs away. */
async function groupsIn(name: string) {
  await using tree = await tempTree({ own: `3:pids:/\n0::/${name}/session\n` });
  return openGroups({ mount: mount ?? "/nowhere", own: tree.path("own"), uid: 1000, controllers: [] });
}

async function isThere(): Promise<boolean> {
  using login = loginGroup();
  if (login === null) return false;
  using groups = await groupsIn(login.name);
  return groups !== null;
}

describe.skipIf(!(await isThere()))("control groups of this machine", () => {
  it("take in what a command starts, end what is left of it, and are gone", async () => {
    using login = loginGroup();
    if (login === null) throw new Error("there was one a moment ago");
    using groups = await groupsIn(login.name);
    const group = groups?.(NONE) ?? null;
    if (group === null) throw new Error("no group was made");
    const { program, args } = group.join({
      ...COMMAND,
      program: "/bin/sh",
      args: ["-c", "sleep 600 & wait"],
    });
    const child = spawn(program, args, { stdio: "ignore" });
    const ended = once(child, "exit");
    const [folder = ""] = readdirSync(join(login.path, readdirSync(login.path).find(isGroups) ?? ""), {
      withFileTypes: true,
    })
      .filter((entry) => entry.isDirectory() && entry.name !== "probe")
      .map((entry) => join(entry.parentPath, entry.name));
    await vi.waitFor(() => expect(numbersIn(folder)).toHaveLength(2), { timeout: 30_000 });
    expect(numbersIn(folder)).toContain(String(child.pid));
    expect(group.excess()).toBeNull();
    group[Symbol.dispose]();
    expect(await ended).toEqual([null, "SIGKILL"]);
    await vi.waitFor(() => expect(numbersIn(folder)).toEqual([]), { timeout: 30_000 });
    groups?.[Symbol.dispose]();
    expect(readdirSync(login.path).filter(isGroups)).toEqual([]);
  });

  it("that a killed runner left are removed with what runs in them", async () => {
    using login = loginGroup();
    if (login === null) throw new Error("there was one a moment ago");
    const namespace = readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "");
    const { pid: dead } = spawnSync("/bin/true");
    const left = join(login.path, `assay-${namespace}-${dead}-00000000`);
    const foreign = join(login.path, `assay-1-${dead}-00000000`);
    for (const folder of [left, join(left, "0"), foreign]) mkdirSync(folder);
    const child = spawn(COMMAND.program, COMMAND.args, { stdio: "ignore" });
    writeFileSync(join(left, "0", "cgroup.procs"), String(child.pid));
    const ended = once(child, "exit");
    (await groupsIn(login.name))?.[Symbol.dispose]();
    expect(await ended).toEqual([null, "SIGKILL"]);
    (await groupsIn(login.name))?.[Symbol.dispose]();
    expect(readdirSync(login.path).filter(isGroups)).toEqual([`assay-1-${dead}-00000000`]);
    rmdirSync(foreign);
  });
});

function isGroups(name: string): boolean {
  return name.startsWith("assay-");
}

function numbersIn(folder: string): readonly string[] {
  return existsSync(folder)
    ? readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean)
    : [];
}

describe("the limits of a group", () => {
  it("are written where the kernel reads them, and what it held is told by its counts", async () => {
    await using tree = await tempTree();
    const group = openGroup(tree.path("0"), { memoryBytes: 5000, processes: 7 });
    const text = (name: string) => readFileSync(tree.path(`0/${name}`), "utf8");
    expect(["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"].map(text)).toEqual([
      "5000",
      "0",
      "1",
      "7",
    ]);
    expect(group?.excess()).toBeNull();
    writeFileSync(tree.path("0/pids.events"), "max 2\n");
    expect(group?.excess()).toEqual({ limit: "processes", most: 7 });
    writeFileSync(tree.path("0/memory.events"), "low 0\noom 3\noom_kill 1\noom_group_kill 1\n");
    expect(group?.excess()).toEqual({ limit: "memory", most: 5000 });
  });

  it("leave a command to run that cannot join", async () => {
    await using tree = await tempTree();
    const group = openGroup(tree.path("0"), NONE);
    const command = group?.join({ ...COMMAND, program: "/bin/echo", args: ["a b", "$0"] });
    group?.[Symbol.dispose]();
    const { stdout, stderr } = spawnSync(command?.program ?? "", command?.args ?? [], { encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: "a b $0\n", stderr: "" });
  });
});

describe("openGroups", () => {
  const TREE = {
    own: "0::/user.slice/app.slice/terminal.scope\n",
    "cg/user.slice/app.slice/cgroup.subtree_control": "cpu memory pids\n",
    "cg/user.slice/app.slice/cgroup.procs": "",
  };
  it.each([
    ["for root", TREE, 0],
    [
      "where a controller is missing",
      { ...TREE, "cg/user.slice/app.slice/cgroup.subtree_control": "cpu pids\n" },
      1000,
    ],
    ["in the machine's own group", { ...TREE, own: "0::/\n" }, 1000],
    ["where only the first version is", { ...TREE, own: "4:memory:/a/b\n" }, 1000],
    ["where the group lies outside of what is seen", { ...TREE, own: "0::/../app.slice/x\n" }, 1000],
    ["where a file stands in for the kernel", TREE, 1000],
  ])("has none %s", async (_, files, uid) => {
    await using tree = await tempTree(files);
    expect(openGroups({ mount: tree.path("cg"), own: tree.path("own"), uid })).toBeNull();
  });
});
