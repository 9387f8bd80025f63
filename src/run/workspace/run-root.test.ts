import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import { UserError } from "../../domain/user-error.ts";
import { Ground } from "./fixtures/kit.ts";
import { openRunRoot, rootProblem, sweepRunRoots } from "./run-root.ts";

describe("openRunRoot", () => {
  it.each(["CLAUDE.md", "AGENTS.md", ".claude/", ".agents/", "GEMINI.md", ".mcp.json"])(
    "passes over a directory below %s and takes the next",
    async (name) => {
      await using here = new Ground();
      here.write(
        { [path.join("bad", name)]: name.endsWith("/") ? null : "x", "bad/deep": null, good: null },
        here.root,
      );
      expect(await rootProblem(here.at("bad/deep"))).toContain(here.at("bad", name.replace("/", "")));
      const candidates = [here.at("bad/deep"), here.at("nowhere"), here.at("good")];
      await using root = await openRunRoot({ candidates, token: "abcd1234", pid: process.pid });
      expect(root.path).toBe(here.at("good/assay-abcd1234"));
    },
  );

  it("says what is wrong with each when none will do", async () => {
    await using here = new Ground();
    here.write({ "AGENTS.md": "x", "with space": null }, here.root);
    here.write({ plain: null }, here.at("with space"));
    const candidates = [here.at("project"), here.at("nowhere")];
    const opening = openRunRoot({ candidates, token: "abcd1234", pid: 1 });
    await expect(opening).rejects.toThrow(UserError);
    await expect(opening).rejects.toThrow(
      /AGENTS\.md, which agents would read; .*nowhere cannot be written to \(ENOENT\)/,
    );
    expect(await rootProblem(here.at("with space/plain"))).toContain("shell");
  });

  it("looks behind links", async () => {
    await using here = new Ground();
    here.write({ "bad/CLAUDE.md": "x", "bad/deep": null }, here.root);
    symlinkSync(here.at("bad/deep"), here.at("link"));
    expect(await rootProblem(here.at("link"))).toContain("CLAUDE.md");
  });

  it("is removed with its scope, and after its process is gone", async () => {
    await using here = new Ground();
    const open = (token: string, pid: number) => openRunRoot({ candidates: [here.run], token, pid });
    const one = await open("11111111", 1);
    const two = await open("22222222", 2);
    {
      await using three = await open("33333333", 3);
      writeFileSync(path.join(three.path, "f"), "x");
    }
    expect(existsSync(path.join(here.run, "assay-33333333"))).toBe(false);
    mkdirSync(path.join(here.run, "assay-foreign"));
    expect(await sweepRunRoots(here.run, (pid) => pid === 1)).toEqual([two.path]);
    expect(existsSync(one.path)).toBe(true);
    expect(existsSync(path.join(here.run, "assay-foreign"))).toBe(true);
  });
});
