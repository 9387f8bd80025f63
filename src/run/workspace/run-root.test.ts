import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import { UserError } from "../../domain/user-error.ts";
import { Ground } from "./fixtures/kit.ts";
import { openRunRoot, rootProblem } from "./run-root.ts";

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

  it("is removed with its scope", async () => {
    await using here = new Ground();
    {
      await using root = await openRunRoot({ candidates: [here.run], token: "33333333", pid: 3 });
      writeFileSync(path.join(root.path, "f"), "x");
    }
    expect(existsSync(path.join(here.run, "assay-33333333"))).toBe(false);
  });
});
