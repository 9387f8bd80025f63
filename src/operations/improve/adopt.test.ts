import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type TempTree, tempTree } from "../../../test/support/temp-tree.ts";
import type { Machine } from "../../machine.ts";
import { adopt } from "./adopt.ts";
import { changeIn } from "./change.ts";

describe("adopting a change", () => {
  it("writes over what is committed", async () => {
    await using tree = await committed();
    expect(await adoptIn(tree, "old\n", "new\n")).toEqual({ status: "applied" });
    expect(await readFile(tree.path("SKILL.md"), "utf8")).toBe("new\n");
  });

  it("keeps what git could not bring back, and says why", async () => {
    await using tree = await committed();
    await writeFile(tree.path("SKILL.md"), "mine\n");
    expect(await adoptIn(tree, "old\n", "new\n")).toMatchObject({
      status: "refused",
      error: { code: "improve/uncommitted" },
    });
    expect(await readFile(tree.path("SKILL.md"), "utf8")).toBe("mine\n");
  });

  it("keeps what was committed meanwhile", async () => {
    await using tree = await committed();
    expect(await adoptIn(tree, "older\n", "new\n")).toMatchObject({
      status: "refused",
      error: { code: "improve/changed-meanwhile" },
    });
    expect(await readFile(tree.path("SKILL.md"), "utf8")).toBe("old\n");
  });

  it("writes a new file only where there is none", async () => {
    await using tree = await tempTree();
    expect(await adoptIn(tree, null, "new\n")).toEqual({ status: "applied" });
    expect(await adoptIn(tree, null, "newer\n")).toMatchObject({ status: "refused" });
    expect(await readFile(tree.path("SKILL.md"), "utf8")).toBe("new\n");
  });
});

async function committed(): Promise<TempTree> {
  const tree = await tempTree({ "SKILL.md": "old\n" });
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "start"],
  ])
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: tree.root });
  return tree;
}

function adoptIn(tree: TempTree, before: string | null, after: string) {
  const machine: Machine = {
    env: {},
    cwd: tree.root,
    home: "/dev/null/home",
    now: () => new Date(0),
    note: () => {},
    consent: async () => null,
  };
  return adopt(changeIn(tree.root, { file: tree.path("SKILL.md"), before, after }), machine);
}
