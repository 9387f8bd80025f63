import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mounted } from "../../../test/support/mounted.ts";
import { captureChanges, DEFAULT_LIMITS, outputPath, skillChanges } from "./capture.ts";
import { fixture, Ground, inside, METHODS, names } from "./fixtures/kit.ts";
import type { Staged } from "./stage.ts";

describe.each(METHODS)("capturing by %s", (method) => {
  const capture = (here: Ground, staged: Staged, limits = DEFAULT_LIMITS) =>
    captureChanges(staged, { outputs: here.at("outputs"), inputs: here.at("inputs"), limits });

  /** `A path` created, `M path` modified, `D path` deleted. */
  const changesAfter = async (
    script: string,
    options: { project?: Parameters<Ground["write"]>[0]; overlay?: Parameters<Ground["write"]>[0] } = {},
  ) => {
    await using here = new Ground();
    here.write(options.project ?? {});
    here.write(options.overlay ?? { overlaid: "x" }, here.at("setup"));
    await using staged = await here.stage(await here.base(), { method, overlays: [here.at("setup")] });
    inside(staged, script);
    const captured = await capture(here, staged);
    const letters = { created: "A", modified: "M", deleted: "D" };
    return {
      ...captured,
      lines: captured.changes.map((change) => `${letters[change.change]} ${change.path}`),
    };
  };

  const project = {
    a: "1",
    "dir/b": "2",
    "dir/c": "3",
    "dir/deep/d": "4",
    "run.sh": "#!/bin/sh\n",
    to: { link: "a" },
  };

  it.each<[string, string, string[]]>([
    ["nothing", "true", []],
    ["reading", "cat a dir/* 2>/dev/null || true; find . -type f | xargs cat > /dev/null", []],
    ["a new file", "echo x > new", ["A new"]],
    ["new files in new directories", "mkdir -p n/m; echo x > n/m/f; echo y > n/g", ["A n/g", "A n/m/f"]],
    ["an empty new directory", "mkdir n", []],
    ["a modified file", "echo more >> dir/b", ["M dir/b"]],
    ["a change that keeps size and time", "echo -n 9 > a; touch -d 2025-01-01T00:00:00Z a", ["M a"]],
    ["a file written anew with the same content", "printf 1 > a.new; mv a.new a", []],
    ["a touched file", "touch a", []],
    ["an executable bit", "chmod +x a", ["M a"]],
    ["a deleted file", "rm dir/b", ["D dir/b"]],
    ["a deleted directory", "rm -r dir", ["D dir/b", "D dir/c", "D dir/deep/d"]],
    [
      "a directory made anew",
      "rm -r dir; mkdir dir; echo x > dir/new",
      ["D dir/b", "D dir/c", "D dir/deep/d", "A dir/new"],
    ],
    [
      "a nested directory made anew",
      "rm -r dir; mkdir -p dir/deep; echo x > dir/deep/new",
      ["D dir/b", "D dir/c", "D dir/deep/d", "A dir/deep/new"],
    ],
    [
      "a directory made anew with an old file",
      "rm -r dir; mkdir dir; printf 2 > dir/b",
      ["D dir/c", "D dir/deep/d"],
    ],
    ["a renamed file", "mv a z", ["D a", "A z"]],
    [
      "a renamed directory",
      "mv dir moved",
      ["D dir/b", "D dir/c", "D dir/deep/d", "A moved/b", "A moved/c", "A moved/deep/d"],
    ],
    [
      "two directories that changed places",
      "mkdir other; cp -p a other/b; mv dir t; mv other dir; mv t other",
      ["M dir/b", "D dir/c", "D dir/deep/d", "A other/b", "A other/c", "A other/deep/d"],
    ],
    ["a directory made a file", "rm -r dir; echo x > dir", ["A dir", "D dir/b", "D dir/c", "D dir/deep/d"]],
    ["a file made a directory", "rm a; mkdir a; echo x > a/f", ["D a", "A a/f"]],
    ["a file made a link", "rm a; ln -s dir/b a", ["M a"]],
    ["another link target", "ln -sfn dir/b to", ["M to"]],
    ["writing through a link", "echo more >> to", ["M a"]],
    ["a hard link", "ln a hard", ["A hard"]],
    ["a change of what an overlay brought", "echo more >> overlaid", ["M overlaid"]],
    [
      "work in .claude",
      "mkdir -p .claude/skills/made; echo x > .claude/skills/made/SKILL.md; echo {} > .claude/settings.local.json",
      ["A .claude/settings.local.json", "A .claude/skills/made/SKILL.md"],
    ],
    [
      "dotfiles that only look like a repository",
      "mkdir .github; echo x > .github/w.yml; echo x > .gitignore",
      ["A .github/w.yml", "A .gitignore"],
    ],
    ["commits", "git commit -qam x --allow-empty; git checkout -q -b other", []],
    [
      "odd names",
      "echo x > 'ünï 😀'; echo x > \"$(printf 'new\\nline')\"; echo x > ' -rf'",
      ["A  -rf", "A new\nline", "A ünï 😀"],
    ],
  ])("sees %s", async (_, script, expected) => {
    expect((await changesAfter(script, { project })).lines).toEqual(expected);
  });

  it("keeps the content of what was created or modified, with hash and size", async () => {
    await using here = new Ground();
    here.write({ brief: "old" });
    await using staged = await here.stage(await here.base(), { method });
    inside(staged, "printf new > brief; mkdir -p out; printf '\\000\\377' > out/bin");
    const { changes, notes } = await capture(here, staged);
    expect(changes).toEqual([
      {
        path: "brief",
        change: "modified",
        bytes: 3,
        sha256: "11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437",
        captured: true,
      },
      expect.objectContaining({ path: "out/bin", change: "created", bytes: 2, captured: true }),
    ]);
    expect(readFileSync(here.at("outputs/brief"), "utf8")).toBe("new");
    expect([...readFileSync(here.at("outputs/out/bin"))]).toEqual([0, 255]);
    expect(notes).toEqual([]);
  });

  it("records links and special files without following or opening them", async () => {
    const { changes, notes } = await changesAfter(
      "ln -s /etc/passwd p; ln -s . loop; ln -s loop/loop/loop l; mkfifo pipe",
      {},
    );
    expect(changes.map(({ path, sha256, captured }) => [path, sha256, captured])).toEqual([
      ["l", null, false],
      ["loop", null, false],
      ["p", null, false],
      ["pipe", null, false],
    ]);
    expect(notes).toContain("p is a link to /etc/passwd; it was recorded, not captured");
    expect(notes).toContain("pipe is neither a file nor a directory; it was recorded, not captured");
  });

  it("leaves out packages and repositories the run made, and says so", async () => {
    const { lines, notes } = await changesAfter(
      "mkdir -p node_modules/p sub; echo x > node_modules/p/i.js; git init -q sub; echo x > sub/f",
      {},
    );
    expect(lines).toEqual(["A sub/f"]);
    expect(notes).toEqual([
      expect.stringMatching(/^node_modules was made/),
      expect.stringMatching(/^sub\/\.git was made/),
    ]);
  });

  it("looks into folders of packages that were staged", async () => {
    const { lines } = await changesAfter("echo y > node_modules/p/i.js", {
      overlay: { "node_modules/p/i.js": "x" },
    });
    expect(lines).toEqual(["M node_modules/p/i.js"]);
  });

  it("says which caps were reached", async () => {
    await using here = new Ground();
    await using staged = await here.stage(await here.base(), { method });
    inside(
      staged,
      "for i in 1 2 3 4 5 6; do echo $i > f$i; done; head -c 200 /dev/zero > big; truncate -s 1T sparse",
    );
    const limits = { files: 3, bytesPerFile: 100, bytes: 1000, listed: 7 };
    const { changes, touched, notes, cut } = await capture(here, staged, limits);
    expect(touched).toHaveLength(8);
    expect(changes.map(({ path, captured }) => `${path} ${captured}`)).toEqual([
      "big false",
      "f1 true",
      "f2 true",
      "f3 true",
      "f4 false",
      "f5 false",
      "f6 false",
    ]);
    expect(notes).toEqual([
      "big is larger than 100 bytes and was not captured",
      "3 files were not captured: at most 3 files and 1000 bytes are kept of one run",
      "1 changes are not listed: at most 7 are for one run",
    ]);
    expect(cut).toEqual([{ of: "files", reason: "1 changes of files beyond 7 are not listed" }]);
    expect(names(here.at("outputs"))).toEqual(["f1", "f2", "f3"]);
  });

  it("counts bytes in all", async () => {
    await using here = new Ground();
    await using staged = await here.stage(await here.base(), { method });
    inside(staged, "for i in 1 2 3; do head -c 40 /dev/zero > f$i; done");
    await capture(here, staged, { files: 9, bytesPerFile: 50, bytes: 100, listed: 9 });
    expect(names(here.at("outputs"))).toEqual(["f1", "f2"]);
  });

  it("keeps what just fits", async () => {
    await using here = new Ground();
    await using staged = await here.stage(await here.base(), { method });
    inside(staged, "for i in 1 2; do head -c 50 /dev/zero > f$i; done; head -c 51 /dev/zero > g");
    const { changes, notes } = await capture(here, staged, {
      files: 2,
      bytesPerFile: 50,
      bytes: 100,
      listed: 3,
    });
    expect(changes.map(({ path, captured, sha256 }) => [path, captured, sha256 === null])).toEqual([
      ["f1", true, false],
      ["f2", true, false],
      ["g", false, true],
    ]);
    expect(notes).toEqual(["g is larger than 50 bytes and was not captured"]);
  });

  it("keeps both of two files of which one has a taken name", async () => {
    await using here = new Ground();
    await using staged = await here.stage(await here.base(), { method });
    inside(staged, "printf 1 > metrics.json; printf 2 > metrics.workspace.json");
    await capture(here, staged);
    expect(readFileSync(here.at("outputs/metrics.workspace.json"), "utf8")).toBe("1");
    expect(readFileSync(here.at("outputs/metrics.workspace.workspace.json"), "utf8")).toBe("2");
  });

  it("says of the first twenty, and how many there are besides", async () => {
    await using here = new Ground();
    await using staged = await here.stage(await here.base(), { method });
    inside(staged, "for i in $(seq 10 33); do ln -s x l$i; head -c 9 /dev/zero > big$i; done");
    const { notes } = await capture(here, staged, { ...DEFAULT_LIMITS, bytesPerFile: 8 });
    expect(notes.filter((note) => note.includes("is a link"))).toHaveLength(20);
    expect(notes.filter((note) => note.startsWith("big"))).toHaveLength(20);
    expect(notes).toContain("and 4 more like these");
    expect(notes).toContain("4 more files are larger than that and were not captured");
  });

  it("goes on without a file that cannot be copied, and says so", async () => {
    await using here = new Ground();
    await using staged = await here.stage(await here.base(), { method });
    inside(staged, "mkdir dir; echo x > dir/f; echo y > g");
    here.write({ dir: "in the way" }, here.at("outputs"));
    const { changes, notes } = await capture(here, staged);
    expect(changes.map(({ path, captured }) => [path, captured])).toEqual([
      ["dir/f", false],
      ["g", true],
    ]);
    expect(notes).toEqual([expect.stringMatching(/^dir\/f could not be captured: E\w+$/)]);
  });

  it("ends when the disk is full, instead of leaving out what the run made", async ({ skip }) => {
    using disk = mounted("size=64k") ?? skip("a small file system cannot be mounted here");
    await using here = new Ground();
    await using staged = await here.stage(await here.base(), { method });
    inside(staged, "head -c 200000 /dev/urandom > big");
    const captured = captureChanges(staged, { outputs: disk.root, inputs: null });
    await expect(captured).rejects.toThrow("ENOSPC");
  });

  it("does not keep an input that the run made huge, and says so", async () => {
    await using here = new Ground();
    here.write({ "a.csv": "12345" }, here.at("files"));
    const fixtures = [fixture(here.at("files", "a.csv"), "a.csv")];
    await using staged = await here.stage(await here.base(), { method, fixtures });
    inside(staged, "truncate -s 300M a.csv");
    const { notes } = await capture(here, staged);
    expect(notes).toContain("inputs: a.csv is larger than 268435456 bytes and was not captured");
  });

  it("keeps inputs that are larger than outputs may be", async () => {
    await using here = new Ground();
    here.write({ "a.csv": "12345", "b.csv": "1" }, here.at("files"));
    const fixtures = ["a.csv", "b.csv"].map((name) => fixture(here.at("files", name), name));
    await using staged = await here.stage(await here.base(), { method, fixtures });
    const { changes, notes } = await capture(here, staged, { ...DEFAULT_LIMITS, bytesPerFile: 4 });
    expect(changes).toEqual([]);
    expect(notes).toEqual([]);
    expect(names(here.at("inputs"))).toEqual(["a.csv", "b.csv"]);
  });

  it("keeps the inputs as the run left them, and records that one was modified", async () => {
    await using here = new Ground();
    here.write({ "a.csv": "a", "b.csv": "b", "c.csv": "c", "dir/x": "x", "dir/y": "y" }, here.at("files"));
    const fixtures = ["a.csv", "b.csv", "c.csv", "dir"].map((name) => fixture(here.at("files", name), name));
    await using staged = await here.stage(await here.base(), { method, fixtures });
    inside(staged, "echo changed > a.csv; rm b.csv; rm dir/x; echo new > dir/z");
    const { changes } = await capture(here, staged);
    expect(changes.map(({ path, change }) => [path, change])).toEqual([
      ["a.csv", "modified"],
      ["b.csv", "deleted"],
      ["dir/x", "deleted"],
      ["dir/z", "created"],
    ]);
    expect(names(here.at("inputs"))).toEqual(["a.csv", "c.csv", "dir"]);
    expect(names(here.at("inputs/dir"))).toEqual(["y", "z"]);
    expect(readFileSync(here.at("inputs/a.csv"), "utf8")).toBe("changed\n");
  });

  it.each<[string, string[]]>([
    ["cat .claude/skills/foo/SKILL.md", []],
    ["touch .claude/skills/foo/SKILL.md", []],
    ["echo x >> .claude/skills/foo/SKILL.md", [".claude/skills/foo/SKILL.md"]],
    ["echo x > .claude/skills/foo/new", [".claude/skills/foo/new"]],
    ["rm -r .claude", [".claude/skills/foo/SKILL.md", ".claude/skills/foo/ref.md"]],
    ["echo x > .claude/skills/food", []],
  ])("knows whether the skill is still the one under test: %s", async (script, expected) => {
    await using here = new Ground();
    const skill = here.skill("foo");
    here.write({ "ref.md": "x" }, skill.root);
    const placement = { skill, name: "foo", skillsFolder: ".claude/skills" };
    await using staged = await here.stage(await here.base({ skills: [skill] }), { method, skill: placement });
    inside(staged, script);
    const { touched } = await capture(here, staged);
    expect(skillChanges(staged, touched)).toEqual(expected);
  });

  it("works when the result folder has a name that is left out of projects", async () => {
    await using here = new Ground();
    await using staged = await here.stage(await here.base(), { method });
    inside(staged, "echo x > new");
    const outputs = here.at(".claude/node_modules/.git/outputs");
    const { changes } = await captureChanges(staged, { outputs, inputs: null });
    expect(changes).toMatchObject([{ path: "new", captured: true }]);
    expect(names(outputs)).toEqual(["new"]);
  });

  it("notes names that are not UTF-8", async () => {
    const { lines, notes } = await changesAfter(`echo x > "$(printf 'bad\\377')"; echo x > good`, {});
    expect(lines).toEqual(["A good"]);
    expect(notes).toEqual([expect.stringContaining("not UTF-8")]);
  });
});

describe("outputPath", () => {
  it("makes way for the one name the layout has taken", () => {
    expect(outputPath("metrics.json")).toBe("metrics.workspace.json");
    expect(outputPath("metrics.json/day.txt")).toBe("metrics.workspace.json/day.txt");
    expect(outputPath("metrics.workspace.json")).toBe("metrics.workspace.workspace.json");
    for (const free of ["dir/metrics.json", "metrics.json5", "metrics_json"])
      expect(outputPath(free)).toBe(free);
  });
});
