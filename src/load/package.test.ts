import { execFileSync } from "node:child_process";
import { chmod, readdir, readFile, utimes } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { tempTree, type TempTree } from "../../test/support/temp-tree.ts";
import { UserError } from "../domain/user-error.ts";
import { packageSkill } from "./package.ts";

const SKILL = "---\nname: tidy\ndescription: Tidies up.\n---\nDo it.\n";

const FILES = {
  "tidy/SKILL.md": SKILL,
  "tidy/scripts/run.sh": "#!/bin/sh\n",
  "tidy/references/evals/kept.md": "kept",
  "tidy/link.md": "->references/evals/kept.md",
  "tidy/.env.example": "KEY=",
  "tidy/.env": "KEY=secret",
  "tidy/.env.local": "KEY=secret",
  "tidy/evals/evals.json": "{}",
  "tidy/.git/HEAD": "",
  "tidy/.assay/x": "",
  "tidy/.DS_Store": "",
  "tidy/scripts/__pycache__/a.pyc": "",
  "tidy/scripts/b.pyc": "",
  "tidy/scripts/node_modules/x/y.js": "",
};

describe("packageSkill", () => {
  it("packs what belongs to the skill, below one directory", async () => {
    await using tree = await tempTree(FILES);
    const packed = await packageSkill(tree.path("tidy"), tree.path("tidy.skill"));
    expect(packed).toMatchObject({
      path: tree.path("tidy.skill"),
      files: [
        "tidy/.env.example",
        "tidy/SKILL.md",
        "tidy/link.md",
        "tidy/references/evals/kept.md",
        "tidy/scripts/run.sh",
      ],
      leftOut: [
        ".DS_Store",
        ".assay",
        ".env",
        ".env.local",
        ".git",
        "evals",
        "scripts/__pycache__",
        "scripts/b.pyc",
        "scripts/node_modules",
      ],
      bytes: (await readFile(tree.path("tidy.skill"))).length,
    });
    expect(packed.notes.map(({ code }) => code)).toEqual(["skill/secret-file", "skill/secret-file"]);
  });

  it("gives the same bytes again, also after the files were touched and written inside the skill", async () => {
    await using tree = await tempTree(FILES);
    const first = await packageSkill(tree.path("tidy"), tree.path("a.skill"));
    await utimes(tree.path("tidy/SKILL.md"), 1, 1);
    await utimes(tree.path("tidy/scripts"), 1, 1);
    const second = await packageSkill(tree.path("tidy"), tree.path("tidy/b.skill"));
    const third = await packageSkill(tree.path("tidy"), tree.path("tidy/b.skill"));
    expect([second.sha256, third.sha256]).toEqual([first.sha256, first.sha256]);
    const [one, two] = await Promise.all([readFile(first.path), readFile(second.path)]);
    expect(one.equals(two)).toBe(true);
    await chmod(tree.path("tidy/scripts/run.sh"), 0o755);
    expect((await packageSkill(tree.path("tidy"), tree.path("a.skill"))).sha256).not.toBe(first.sha256);
  });

  it.skipIf(!hasPython())(
    "is unpacked by Python to the same files (skipped where there is none)",
    async () => {
      await using tree = await tempTree(FILES);
      await packageSkill(tree.path("tidy"), tree.path("tidy.skill"));
      const script = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])";
      execFileSync("python3", ["-c", script, tree.path("tidy.skill"), tree.path("unpacked")]);
      expect((await readdir(tree.path("unpacked"), { recursive: true })).sort()).toEqual([
        "tidy",
        "tidy/.env.example",
        "tidy/SKILL.md",
        "tidy/link.md",
        "tidy/references",
        "tidy/references/evals",
        "tidy/references/evals/kept.md",
        "tidy/scripts",
        "tidy/scripts/run.sh",
      ]);
      expect(await readFile(tree.path("unpacked/tidy/link.md"), "utf8")).toBe("kept");
    },
  );

  const refused = async (tree: TempTree) => {
    const error: unknown = await packageSkill(tree.path("tidy"), tree.path("tidy.skill")).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(UserError);
    expect(await readdir(tree.root)).not.toContain("tidy.skill");
    return error as UserError;
  };

  it("refuses a skill in which lint finds errors, with all of them", async () => {
    await using tree = await tempTree({ "tidy/SKILL.md": "---\nname: Tidy\n---\nDo.\n" });
    const error = await refused(tree);
    expect(error).toMatchObject({
      code: "package/lint-errors",
      message: "tidy cannot be packaged: lint found 3 errors",
    });
    expect(error.diagnostics.map(({ code }) => code)).toEqual([
      "skill/description-missing",
      "skill/name-invalid-chars",
      "skill/name-directory-mismatch",
    ]);
  });

  it("lets the profile decide what is an error", async () => {
    await using tree = await tempTree({
      "tidy/SKILL.md": SKILL.replace("---\nDo", "argument-hint: x\n---\nDo"),
    });
    expect((await refused(tree)).diagnostics).toMatchObject([{ code: "skill/claude-code-key" }]);
    await packageSkill(tree.path("tidy"), tree.path("tidy.skill"), { profile: "claude-code" });
  });

  it.each([
    ["a file outside", { "tidy/link": "->../secret", secret: "x" }, "points outside the skill"],
    ["a directory outside", { "tidy/link": "->../other", "other/x": "x" }, "points outside the skill"],
    ["a directory inside", { "tidy/link": "->docs", "tidy/docs/x": "x" }, "link to a directory"],
    ["the skill itself", { "tidy/link": "->." }, "link to a directory"],
    ["nothing", { "tidy/link": "->gone" }, "a broken link"],
    ["itself", { "tidy/link": "->link" }, "a broken link"],
    [
      "a sibling whose name begins alike",
      { "tidy/link": "->../tidy2/x", "tidy2/x": "x" },
      "points outside the skill",
    ],
  ])("refuses a link to %s", async (_, files, reason) => {
    await using tree = await tempTree({ "tidy/SKILL.md": SKILL, ...files });
    const error = await refused(tree);
    expect(error.code).toBe("package/unpackable-file");
    expect(error.message).toContain(reason);
    expect(error.message).toContain(tree.path("tidy/link"));
  });

  it("refuses a directory without a skill", async () => {
    await using tree = await tempTree({ "tidy/README.md": "" });
    expect((await refused(tree)).diagnostics).toMatchObject([{ code: "skill/no-skill-file" }]);
  });
});

function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
