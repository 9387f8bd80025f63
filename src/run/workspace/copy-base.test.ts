import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { treeHash } from "../../lib/tree-hash.ts";
import { copyBase } from "./copy-base.ts";
import { Ground, HOST_ENV } from "./fixtures/kit.ts";

describe.each(["cp", "false", "no-such-program"])("copying the base with %s", (program) => {
  it("gives the same files, links, bits, times and a clean repository", async () => {
    await using here = new Ground();
    here.write({
      a: "1",
      "dir/ü\nb": "2",
      "dir/run.sh": "#!/bin/sh",
      link: { link: "dir" },
      loop: { link: "loop" },
    });
    execFileSync("chmod", ["755", here.at("project/dir/run.sh")]);
    const base = await here.base();
    mkdirSync(here.at("ws"));
    const workspace = await copyBase(base, here.at("ws"), program);
    await workspace.seal();
    expect(await treeHash(here.at("ws"))).toBe(await treeHash(base.directory));
    const times = (root: string) =>
      execFileSync("find", [root, "-path", `${root}/.git`, "-prune", "-o", "-printf", "%P %T@\\0"], {
        encoding: "utf8",
      });
    expect(times(here.at("ws")).split("\0").sort()).toEqual(times(base.directory).split("\0").sort());
    expect(
      execFileSync("git", ["status", "--porcelain"], { cwd: here.at("ws"), env: HOST_ENV, encoding: "utf8" }),
    ).toBe("");
    expect([...workspace.entries.keys()].sort()).toEqual(
      [...base.entries.keys(), ...(base.repository?.keys() ?? [])].sort(),
    );
  });
});
