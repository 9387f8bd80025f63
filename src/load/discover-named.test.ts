import { describe, expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import { found } from "./fixtures/found-subjects.ts";

describe("a Skillet name", () => {
  const files = {
    "skillet/evals/browsing/001.yaml": "",
    "home/.skillet/evals/browsing/sub/002.yaml": "",
    "tidy/SKILL.md": "",
  };

  it("is looked up in SKILLET_DIR, else in the home directory", async () => {
    await using tree = await tempTree(files);
    const inDir = await found(tree, ["browsing"], { skilletDir: "skillet", home: tree.path("home") });
    expect(inDir.subjects).toEqual([
      { skill: null, name: "browsing", files: ["skillet/evals/browsing/001.yaml (skillet)"] },
    ]);
    const atHome = await found(tree, ["browsing"], { home: tree.path("home") });
    expect(atHome.subjects[0]!.files).toEqual(["home/.skillet/evals/browsing/sub/002.yaml (skillet)"]);
  });

  it("never leads out of that directory", async () => {
    await using tree = await tempTree(files);
    const { subjects } = await found(tree, ["../evals/browsing", "x/../browsing"], {
      skilletDir: tree.path("skillet"),
    });
    expect(subjects).toEqual([]);
  });

  it("takes its skill from --skill", async () => {
    await using tree = await tempTree(files);
    const { subjects } = await found(tree, ["browsing"], { skilletDir: "skillet", skill: "tidy/SKILL.md" });
    expect(subjects).toEqual([
      { skill: "tidy/SKILL.md", name: "browsing", files: ["skillet/evals/browsing/001.yaml (skillet)"] },
    ]);
  });
});

describe("--evals", () => {
  const files = {
    "a/tidy/SKILL.md": "",
    "a/tidy/evals/evals.json": "",
    "a/mop/SKILL.md": "",
    "mine/evals.json": "",
    "mine/setup/x": "",
    "each/tidy/evals.json": "",
    "empty/x.txt": "",
  };

  it.each([
    ["a directory", "mine", ["mine/evals.json (bmad)"]],
    ["a file", "mine/evals.json", ["mine/evals.json (bmad)"]],
    ["a directory of directories", "each", ["each/tidy/evals.json (bmad)"]],
  ])("takes the place of what lies around the skill: %s", async (_, evals, expected) => {
    await using tree = await tempTree(files);
    const { subjects, reported } = await found(tree, ["a/tidy"], { evals });
    expect(subjects).toEqual([{ skill: "a/tidy/SKILL.md", files: expected, around: null }]);
    expect(reported).toEqual([]);
  });

  it("gives each of many skills its own directory, and no other", async () => {
    await using tree = await tempTree(files);
    const { subjects } = await found(tree, ["a"], { evals: "each" });
    expect(subjects.map(({ files }) => files)).toEqual([[], ["each/tidy/evals.json (bmad)"]]);
  });

  it.each([
    ["nowhere", "load/no-such-target"],
    ["empty", "load/nothing-found"],
  ])("is reported when it names nothing: %s", async (evals, code) => {
    await using tree = await tempTree(files);
    expect((await found(tree, ["a/tidy"], { evals })).reported).toMatchObject([{ code, at: evals }]);
  });
});
