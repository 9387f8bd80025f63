import { createHash } from "node:crypto";
import { existsSync, readFileSync, utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { tempTree } from "../support/temp-tree.ts";

const FILES = {
  "tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies rooms.\n---\nDo it.\n",
  "tidy/scripts/run.sh": "echo hi\n",
  "tidy/evals/evals.json": '{"evals": [{"id": 1, "prompt": "x"}]}',
};

describe("assay package", () => {
  it("says where it cannot write", async () => {
    await using tree = await tempTree({ ...FILES, file: "x" });
    expect(await assay(["package", "tidy", "--output", "file/x.skill"], { cwd: tree.root })).toEqual({
      exitCode: 2,
      out: "",
      err: "error: file/x.skill cannot be written: a part of its path is a file [file/unwritable]\n  hint: choose another path\n",
    });
  });

  it("makes an archive, says what is in it and what was left out", async () => {
    await using tree = await tempTree(FILES);
    const { exitCode, out, err } = await assay(["package", "tidy"], { cwd: tree.root });
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "left out: evals\n" });
    const bytes = readFileSync(tree.path("tidy.skill"));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(out).toBe(`tidy.skill: 2 files, ${bytes.length} bytes, sha256 ${sha256}\n`);
  });

  it("makes the same bytes of the same files, whenever and from wherever it is called", async () => {
    await using one = await tempTree(FILES);
    await using other = await tempTree(Object.fromEntries(Object.entries(FILES).toReversed()));
    utimesSync(other.path("tidy/SKILL.md"), 1, 1);
    await assay(["package", "tidy"], { cwd: one.root });
    await assay(["package", "SKILL.md", "--output", "../deep/er/x.skill"], { cwd: other.path("tidy") });
    expect(readFileSync(other.path("deep/er/x.skill"))).toEqual(readFileSync(one.path("tidy.skill")));
  });

  it.each<[string, Record<string, string>, string, RegExp]>([
    [
      "lint finds errors",
      { "tidy/SKILL.md": "---\nname: Tidy!\ndescription: x\n---\nDo it.\n" },
      "tidy",
      /^tidy\/SKILL\.md:2:7 error: .*\[skill\/name-invalid-chars\][^]*error: tidy cannot be packaged: lint found \d errors/,
    ],
    [
      "there is no SKILL.md",
      { "tidy/README.md": "x" },
      "tidy",
      /^tidy:1:1 error: the directory has no SKILL\.md/,
    ],
    ["there is nothing", {}, "tidy", /^tidy:1:1 error: .*no such file/],
    [
      "a link points outside the skill",
      { "tidy/SKILL.md": FILES["tidy/SKILL.md"], "tidy/passwd": "->/etc/passwd" },
      "tidy",
      /cannot be packaged: it is a link that points outside the skill/,
    ],
  ])("refuses when %s, and writes nothing", async (_, files, target, says) => {
    await using tree = await tempTree(files);
    const { exitCode, out, err } = await assay(["package", target], { cwd: tree.root });
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(err).toMatch(says);
    expect(existsSync(tree.path("tidy.skill"))).toBe(false);
  });
});
