import { readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { claude, fixture, Ground, inside, METHODS, names, seen, skillMd } from "./fixtures/kit.ts";

describe.each(METHODS)("staging by %s", (method) => {
  it("lays project, overlays, skill and files over each other, later ones winning", async () => {
    await using here = new Ground();
    const skill = here.skill("foo");
    here.write({ a: "project", b: "project", c: "project", d: "project", "dir/x": "project" });
    here.write({ b: "base", c: "base", d: "base", "dir/y": "base" }, here.at("setup"));
    here.write(
      { c: "case", d: "case", ".claude/skills/foo/SKILL.md": skillMd("foo", "Impostor.") },
      here.at("A1"),
    );
    here.write({ d: "file" }, here.at("files"));
    const base = await here.base({ skills: [skill] });
    await using staged = await here.stage(base, {
      method,
      overlays: [here.at("setup"), here.at("A1")],
      skill: claude(skill),
      fixtures: [fixture(here.at("files/d"), "d"), { kind: "inline", target: "in/line", content: "inline" }],
    });
    expect(inside(staged, "cat a b c d dir/x dir/y in/line .claude/skills/foo/SKILL.md")).toBe(
      `projectbasecasefileprojectbaseinline${skillMd("foo")}`,
    );
    expect(staged.method).toBe(method);
    expect(staged.inputs).toEqual(["d", "in/line"]);
    expect(staged.skill?.path).toBe(".claude/skills/foo");
  });

  it.each<[string, Record<string, string | null>, Record<string, string | null>, string]>([
    ["a file over a directory", { "x/y": "old" }, { x: "new" }, "x"],
    ["a directory over a file", { x: "old" }, { "x/y": "new" }, "x/y"],
    ["an empty directory over a file", { x: "old", z: "" }, { x: null }, "z"],
    ["a deep path over a file", { a: "old" }, { "a/b/c/d": "new" }, "a/b/c/d"],
  ])("lets an overlay win with %s", async (_, project, overlay, expected) => {
    await using here = new Ground();
    here.write(project);
    here.write(overlay, here.at("setup"));
    await using staged = await here.stage(await here.base(), { method, overlays: [here.at("setup")] });
    expect(seen(staged)).toEqual([expected]);
  });

  it("stages what leads through a link of the project where the link points", async () => {
    await using here = new Ground();
    const skill = here.skill("foo", here.at("project/skills/foo"));
    here.write({ ".claude/skills": { link: "../skills" }, "skills/bar/SKILL.md": skillMd("bar") });
    here.write({ ".claude/skills/dep/SKILL.md": skillMd("dep") }, here.at("setup"));
    const base = await here.base({ skills: [skill] });
    await using staged = await here.stage(base, {
      method,
      overlays: [here.at("setup")],
      skill: claude(skill),
    });
    expect(inside(staged, "ls .claude/skills").trim().split("\n")).toEqual(["bar", "dep", "foo"]);
    expect(staged.skill).toMatchObject({ path: ".claude/skills/foo", realPath: "skills/foo" });
  });

  it("never writes through a link that leaves the workspace", async () => {
    await using here = new Ground();
    here.write({ victim: "safe" }, here.at("outside"));
    here.write(
      { "data/deep": { link: here.at("outside") }, note: { link: here.at("outside/victim") } },
      here.at("setup"),
    );
    await using staged = await here.stage(await here.base(), {
      method,
      overlays: [here.at("setup")],
      fixtures: [
        { kind: "inline", target: "data/deep/victim", content: "written" },
        { kind: "inline", target: "note", content: "written" },
      ],
    });
    expect(inside(staged, "cat data/deep/victim note")).toBe("writtenwritten");
    expect(readFileSync(here.at("outside/victim"), "utf8")).toBe("safe");
    expect(staged.notes).toHaveLength(2);
  });

  it("removes every copy of the skill in a variant without it, also from overlays", async () => {
    await using here = new Ground();
    const skill = here.skill("foo", here.at("project/.claude/skills/foo"));
    here.write({ keep: "x" });
    here.write(
      {
        "nested/deep/renamed/SKILL.md": skillMd("foo"),
        "nested/deep/renamed/script.py": "x",
        ".agents/skills/foo/SKILL.md": "no frontmatter",
        ".claude/skills/alias": { link: skill.root },
        ".claude/commands/foo.md": "x",
        ".claude/skills/dep/SKILL.md": skillMd("dep"),
      },
      here.at("setup"),
    );
    const base = await here.base({ skills: [skill] });
    await using staged = await here.stage(base, { method, overlays: [here.at("setup")] });
    expect(seen(staged)).toEqual([".claude/skills/dep/SKILL.md", "keep"]);
    expect(staged.skill).toBeNull();
    await using installed = await here.stage(base, {
      method,
      overlays: [here.at("setup")],
      skill: claude(skill),
    });
    expect(seen(installed)).toEqual([".claude/skills/dep/SKILL.md", ".claude/skills/foo/SKILL.md", "keep"]);
  });

  it("shows no eval file, expectation or earlier result, wherever they come from", async () => {
    await using here = new Ground();
    const skill = here.skill("foo", here.at("project/skills/foo"));
    here.write({
      "skills/foo/evals/evals.json": "{}",
      "skills/foo/evals/files/in.csv": "csv",
      "skills/foo/SKILL.eval.json": "{}",
      "skills/foo/assets/foo.eval.json": "{}",
      "skills/foo/assets/logo.svg": "x",
      "skills/foo/.git/config": "x",
      "skills/foo/node_modules/p/x.js": "x",
      "skills/foo/sub/SKILL.md": skillMd("sub"),
      "skills/foo/sub/evals/evals.json": "{}",
      "skills/foo/references/evals/guide.md": "how to write evals",
      "evals/foo/evals.json": "{}",
      "evals/foo/setup/conf/x": "overlay",
      "evals/foo/setup/evals.json": "{}",
      ".assay/foo/iteration-1/run.json": "{}",
    });
    const hidden = ["skills/foo/evals", "evals/foo", "evals/foo/setup/evals.json", "evals/foo/setup"];
    const base = await here.base({ skills: [skill], hidden: hidden.map((name) => here.at("project", name)) });
    await using staged = await here.stage(base, {
      method,
      overlays: [here.at("project/evals/foo/setup")],
      skill: claude(skill),
      fixtures: [fixture(here.at("project/skills/foo/evals/files/in.csv"), "evals/files/in.csv")],
    });
    expect(seen(staged)).toEqual([
      ".claude/skills/foo/SKILL.md",
      ".claude/skills/foo/assets/logo.svg",
      ".claude/skills/foo/references/evals/guide.md",
      ".claude/skills/foo/sub/SKILL.md",
      "conf/x",
      "evals/files/in.csv",
    ]);
  });

  it("gives both arms the same clean repository", async () => {
    await using here = new Ground();
    const skill = here.skill("foo");
    here.write({ a: "1", "dir/b": "2" });
    const base = await here.base({ skills: [skill] });
    await using installed = await here.stage(base, { method, skill: claude(skill) });
    await using bare = await here.stage(base, { method });
    for (const staged of [installed, bare]) {
      expect(
        inside(staged, "git status --porcelain; git log --oneline | wc -l; git rev-parse --abbrev-ref HEAD"),
      ).toBe("1\nmain\n");
    }
    expect(inside(bare, "echo x > c; git add c; git commit -qm next; git log --format=%an")).toBe(
      "Assay\nAssay\n",
    );
  });

  it("gives every trial its own ground, and lets none touch base or source", async () => {
    await using here = new Ground();
    const skill = here.skill("foo");
    here.write({ a: "1" });
    here.write({ f: "fixture" }, here.at("files"));
    const base = await here.base({ skills: [skill] });
    const spec = { method, skill: claude(skill), fixtures: [fixture(here.at("files/f"), "f")] };
    await using one = await here.stage(base, spec);
    await using two = await here.stage(base, spec);
    inside(one, "echo changed | tee a f .claude/skills/foo/SKILL.md; rm -r .git");
    expect(inside(two, "cat a f .claude/skills/foo/SKILL.md; git status --porcelain")).toBe(
      `1fixture${skillMd("foo")}?? f\n`,
    );
    expect(readFileSync(skill.file, "utf8")).toBe(skillMd("foo"));
    expect(readFileSync(here.at("files/f"), "utf8")).toBe("fixture");
  });

  it("removes all of it, also what may not be touched and what has no proper name", async () => {
    await using here = new Ground();
    here.write({ a: "1" });
    const base = await here.base();
    {
      await using staged = await here.stage(base, { method });
      inside(
        staged,
        `mkdir -p locked/deep ro; echo x > locked/deep/f; echo x > ro/f; chmod 555 ro; chmod 000 locked/deep; chmod 444 locked
         mkfifo pipe; ln -s . loop; touch "$(printf 'bad\\377name')" "$(printf 'new\\nline')"`,
      );
    }
    expect(names(here.run).filter((name) => !/^(?:base|layer)/u.test(name))).toEqual([]);
  });
});

describe("a trial's places", () => {
  it("are of constant length and safe in a shell", async () => {
    await using here = new Ground();
    const base = await here.base();
    await using one = await here.stage(base, { id: "a" });
    await using two = await here.stage(base, { id: "some/long id $(x) 'quoted' ü" });
    const paths = [one, two].map(({ ground }) =>
      ground.workspace.kind === "directory" ? ground.workspace.path : "",
    );
    expect(paths[0]).toHaveLength(paths[1]?.length ?? 0);
    expect(paths[1]).toMatch(/^[\w/.+-]+$/);
    expect(paths[0]).not.toBe(paths[1]);
  });

  it("include a private home with a configuration directory, and a temporary directory", async () => {
    await using here = new Ground();
    await using staged = await here.stage(await here.base());
    expect(names(staged.ground.home)).toEqual([".agent", ".gitconfig"]);
    expect(statSync(staged.ground.temp).isDirectory()).toBe(true);
  });
});
