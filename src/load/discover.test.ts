import { dirname, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { tempTree, type TempTree } from "../../test/support/temp-tree.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { discover, type DiscoverOptions } from "./discover.ts";
import { evalsFinder } from "./find-evals.ts";
import { parseSkill } from "./skill.ts";
import type { Subject } from "./subject.ts";

/** Subjects with paths relative to the tree; eval files as `path (format)`, a question mark for the optional. */
async function found(tree: TempTree, targets: string[], options: Partial<DiscoverOptions> = {}) {
  const reported: Diagnostic[] = [];
  const all = { cwd: tree.root, evals: null, skill: null, skilletDir: null, home: null, ...options };
  const subjects = await discover(targets, all, (diagnostic) => void reported.push(diagnostic));
  const short = (path: string | null) => (path === null ? null : relative(tree.root, path));
  return {
    subjects: subjects.map((subject) => summary(subject, short)),
    reported: reported.map(({ code, at, hint }) => ({ code, at: short(at!.file), hint })),
  };
}

function summary(
  { skillFile, lookAround, name, files }: Subject,
  short: (path: string | null) => string | null,
) {
  const listed = files.map(
    ({ path, expected, optional }) => `${short(path)} (${expected})${optional ? "?" : ""}`,
  );
  const known = { skill: short(skillFile), files: listed };
  if (name === "") return { ...known, around: short(lookAround) };
  return lookAround === null ? { ...known, name } : { ...known, name, around: short(lookAround) };
}

describe("a target", () => {
  const files = {
    ".git/HEAD": "",
    "skills/tidy/SKILL.md": "",
    "skills/tidy/evals/evals.json": "{}",
    "skills/tidy/evals/files/data.json": "{}",
    "skills/tidy/assets/tidy.eval.json": "{}",
    ".claude/commands/sweep.md": "",
    ".claude/commands/sweep.eval.json": "{}",
    "evals/group/mop/evals.json": "{}",
    "evals/group/mop/A1/setup/x": "",
    "src/deep/down/mop/SKILL.md": "",
    "yaml/b/002.yaml": "",
    "yaml/a/001.yml": "",
    "notes.txt": "",
  };
  const skill = (path: string) => [{ skill: path, around: path, files: [] }];
  const evals = (name: string, skill: string | null, ...files: string[]) => [{ name, skill, files }];

  it.each([
    ["a SKILL.md", "skills/tidy/SKILL.md", skill("skills/tidy/SKILL.md")],
    ["a skill directory", "skills/tidy", skill("skills/tidy/SKILL.md")],
    ["a command file", ".claude/commands/sweep.md", skill(".claude/commands/sweep.md")],
    [
      "an eval file in a skill",
      "skills/tidy/evals/evals.json",
      evals("evals", "skills/tidy/SKILL.md", "skills/tidy/evals/evals.json (skill-creator)"),
    ],
    [
      "a spec in assets",
      "skills/tidy/assets/tidy.eval.json",
      evals("tidy", "skills/tidy/SKILL.md", "skills/tidy/assets/tidy.eval.json (clauditor)"),
    ],
    [
      "a spec beside a command",
      ".claude/commands/sweep.eval.json",
      evals("sweep", ".claude/commands/sweep.md", ".claude/commands/sweep.eval.json (clauditor)"),
    ],
    [
      "an evals directory in a skill",
      "skills/tidy/evals",
      evals("tidy", "skills/tidy/SKILL.md", "skills/tidy/evals/evals.json (skill-creator)"),
    ],
    [
      "an evals directory named after a skill elsewhere",
      "evals/group/mop",
      evals("mop", "src/deep/down/mop/SKILL.md", "evals/group/mop/evals.json (bmad)"),
    ],
    [
      "an eval file named after a skill elsewhere",
      "evals/group/mop/evals.json",
      evals("evals", "src/deep/down/mop/SKILL.md", "evals/group/mop/evals.json (bmad)"),
    ],
    [
      "a directory of YAML, nested, with either ending",
      "yaml",
      evals("yaml", null, "yaml/a/001.yml (skillet)", "yaml/b/002.yaml (skillet)"),
    ],
    ["one YAML file", "yaml/a/001.yml", evals("001", null, "yaml/a/001.yml (skillet)")],
  ])("may be %s", async (_, target, subjects) => {
    await using tree = await tempTree(files);
    expect(await found(tree, [target])).toEqual({ subjects, reported: [] });
    expect(await found(tree, [tree.path(target)])).toEqual({ subjects, reported: [] });
  });

  it("may be a directory holding many skills", async () => {
    await using tree = await tempTree(files);
    const { subjects, reported } = await found(tree, ["."]);
    expect(subjects.map(({ skill }) => skill)).toEqual([
      ".claude/commands/sweep.md",
      "skills/tidy/SKILL.md",
      "src/deep/down/mop/SKILL.md",
    ]);
    expect(reported).toEqual([]);
  });

  it.each([
    ["nothing there", "skills/tidi", "load/no-such-target", 'did you mean "skills/tidy"?'],
    [
      "below a file",
      "notes.txt/x",
      "load/no-such-target",
      "name a skill, an eval file, a directory with skills in it, or a Skillet name",
    ],
    [
      "another kind of file",
      "notes.txt",
      "load/unknown-target",
      "name the skill, its directory, or an eval file",
    ],
    [
      "a directory without any",
      ".git",
      "load/nothing-found",
      "name a SKILL.md, a directory with skills, or an eval file",
    ],
  ])("is reported when it is %s", async (_, target, code, hint) => {
    await using tree = await tempTree(files);
    expect(await found(tree, [target])).toEqual({ subjects: [], reported: [{ code, at: target, hint }] });
  });

  it("is reported when it is a link to itself", async () => {
    await using tree = await tempTree({ loop: "->loop" });
    expect(await found(tree, ["loop"])).toMatchObject({
      subjects: [],
      reported: [{ code: "file/symlink-loop" }],
    });
  });
});

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

describe("the evals of a skill", () => {
  async function evalsOf(files: Record<string, string>, options: { at?: string; name?: string } = {}) {
    await using tree = await tempTree(files);
    const file = tree.path(options.at ?? "p/skills/tidy/SKILL.md");
    const { skill } = parseSkill(file, options.name === undefined ? "" : `---\nname: ${options.name}\n---\n`);
    const notes: string[] = [];
    const report = (one: Diagnostic) => void notes.push(`${one.code} ${relative(tree.root, one.at!.file)}`);
    const evals = await evalsFinder()(skill, { projectRoot: tree.path("p"), report });
    return { evals: evals.map(({ path, expected }) => `${relative(tree.root, path)} (${expected})`), notes };
  }

  const places = {
    "p/skills/tidy/evals/evals.json": "",
    "p/evals/tidy/triggers.json": "",
    "p/evals/a/b/tidy/cases.json": "",
  };

  it("are those of the first place that has any", async () => {
    const order = Object.entries({ ...places, "evals/tidy/evals.json": "" });
    const at = "p/skills/tidy/SKILL.md";
    expect((await evalsOf(Object.fromEntries(order), { at })).evals).toEqual([
      "p/skills/tidy/evals/evals.json (skill-creator)",
    ]);
    expect(
      (await evalsOf({ ...places, "p/skills/tidy/evals/evals.json": "->gone" }, { at })).evals,
    ).toHaveLength(1);
    const { "p/skills/tidy/evals/evals.json": _first, ...others } = places;
    expect((await evalsOf(others, { at })).evals).toEqual(["p/evals/tidy/triggers.json (bmad)"]);
    expect((await evalsOf({ "p/evals/a/b/tidy/cases.json": "" }, { at })).evals).toEqual([
      "p/evals/a/b/tidy/cases.json (bmad)",
    ]);
  });

  it("two levels above the skill come before the project's", async () => {
    const files = { "p/x/evals/tidy/evals.json": "", "p/evals/tidy/evals.json": "" };
    expect((await evalsOf(files, { at: "p/x/skills/tidy/SKILL.md" })).evals).toEqual([
      "p/x/evals/tidy/evals.json (bmad)",
    ]);
  });

  it("may go by the skill's own name where its directory has another", async () => {
    const files = { "p/evals/tidy/evals.json": "" };
    expect((await evalsOf(files, { at: "p/checkout/SKILL.md", name: "tidy" })).evals).toEqual([
      "p/evals/tidy/evals.json (bmad)",
    ]);
  });

  it("are BMad's inside the skill only with triggers.json or overlays", async () => {
    const base = "p/skills/tidy/evals";
    const withFile = (path: string) => evalsOf({ [`${base}/evals.json`]: "", [`${base}/${path}`]: "" });
    expect((await withFile("triggers.json")).evals).toEqual([
      `${base}/evals.json (bmad)`,
      `${base}/triggers.json (bmad)`,
    ]);
    expect((await withFile("setup/x")).evals).toEqual([`${base}/evals.json (bmad)`]);
    expect((await withFile("A1/setup/x")).evals).toEqual([`${base}/evals.json (bmad)`]);
    expect((await withFile("files/x")).evals).toEqual([`${base}/evals.json (skill-creator)`]);
  });

  it("leave results of other tools and YAML fixtures aside", async () => {
    const base = "p/skills/tidy/evals";
    const files = ["evals.json", "benchmark.json", "grading.json", "more.json", "files/fixture.yaml"];
    const { evals } = await evalsOf(Object.fromEntries(files.map((name) => [`${base}/${name}`, ""])));
    expect(evals).toEqual([`${base}/evals.json (skill-creator)`, `${base}/more.json (skill-creator)`]);
  });

  it("include clauditor's beside the skill, of which one counts", async () => {
    const spec = "p/skills/tidy/SKILL.eval.json";
    const inAssets = "p/skills/tidy/assets/tidy.eval.json";
    expect(await evalsOf({ [spec]: "", [inAssets]: "", ...places })).toEqual({
      evals: [`${spec} (clauditor)`, "p/skills/tidy/evals/evals.json (skill-creator)"],
      notes: [`load/second-spec ${inAssets}`],
    });
    expect(await evalsOf({ [inAssets]: "" })).toEqual({ evals: [`${inAssets} (clauditor)`], notes: [] });
    expect(await evalsOf({ "p/skills/tidy/assets/other.eval.json": "" })).toEqual({ evals: [], notes: [] });
  });

  it("of a command are beside it or in the project", async () => {
    const at = "p/.claude/commands/sweep.md";
    const files = {
      "p/.claude/commands/sweep.eval.json": "",
      "p/evals/sweep/evals.json": "",
      "p/.claude/commands/evals/evals.json": "",
    };
    expect((await evalsOf(files, { at })).evals).toEqual([
      "p/.claude/commands/sweep.eval.json (clauditor)",
      "p/evals/sweep/evals.json (bmad)",
    ]);
  });
});

describe("a directory of many", () => {
  it("has evals of their own where no skill has their name, and specs without a skill", async () => {
    await using tree = await tempTree({
      ".git/x": "",
      "skills/tidy/SKILL.md": "",
      "evals/tidy/evals.json": "",
      "evals/tidy/setup/.claude/skills/helper/SKILL.md": "",
      "evals/gone/evals.json": "",
      "specs/a.eval.json": "",
      "specs/SKILL.eval.json": "",
    });
    const { subjects } = await found(tree, ["."]);
    expect(subjects).toEqual([
      { skill: "skills/tidy/SKILL.md", around: "skills/tidy/SKILL.md", files: [] },
      { skill: null, name: "specs", files: ["specs/SKILL.eval.json (clauditor)"] },
      { skill: null, name: "a", files: ["specs/a.eval.json (clauditor)"] },
      { skill: null, name: "gone", files: ["evals/gone/evals.json (skill-creator)"] },
    ]);
  });

  it("takes a skill that is linked from elsewhere, and one reached twice once", async () => {
    await using tree = await tempTree({
      "p/.claude/skills/tidy": "->../../skills/tidy",
      "p/.claude/skills/mop": "->../../../shared/mop",
      "p/skills/tidy/SKILL.md": "",
      "shared/mop/SKILL.md": "",
    });
    const { subjects, reported } = await found(tree, ["p", "p/.claude/skills/tidy"]);
    expect(subjects.map(({ skill }) => skill)).toEqual([
      "p/.claude/skills/mop/SKILL.md",
      "p/skills/tidy/SKILL.md",
    ]);
    expect(reported).toEqual([]);
  });

  it("joins the files of targets about one skill", async () => {
    await using tree = await tempTree({
      "tidy/SKILL.md": "",
      "tidy/evals/evals.json": "",
      "tidy/evals/more.json": "",
    });
    const { subjects } = await found(tree, ["tidy/evals/evals.json", "tidy", "tidy/evals/more.json"]);
    expect(subjects).toMatchObject([
      {
        around: "tidy/SKILL.md",
        files: ["tidy/evals/evals.json (skill-creator)", "tidy/evals/more.json (skill-creator)"],
      },
    ]);
    expect(dirname(subjects[0]!.skill!)).toBe("tidy");
  });
});
