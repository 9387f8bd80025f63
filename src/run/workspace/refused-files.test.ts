import { describe, expect, it } from "vitest";
import { claude, fixture, Ground, inside, names, seen, skillMd } from "./fixtures/kit.ts";

describe("what cannot be staged", () => {
  it.each<[string, (here: Ground) => Parameters<Ground["attempt"]>[1], RegExp]>([
    [
      "a file with a problem",
      () => ({ fixtures: [fixture(null, "x", "the path is absolute")] }),
      /x .*the path is absolute/,
    ],
    ["a file that is gone", (here) => ({ fixtures: [fixture(here.at("gone"), "x")] }), /x .*does not exist/],
    ["a special file", () => ({ fixtures: [fixture("/dev/null", "x")] }), /special file/],
    ["a place outside", (here) => ({ fixtures: [fixture(here.at("f"), "../x")] }), /leaves its root/],
    ["an absolute place", (here) => ({ fixtures: [fixture(here.at("f"), "/x")] }), /is absolute/],
    [
      "the repository",
      () => ({ fixtures: [{ kind: "inline", target: ".git/config", content: "" }] }),
      /reserved/,
    ],
    ["an eval file", (here) => ({ fixtures: [fixture(here.at("evals.json"), "e.json")] }), /eval file/],
    ["an overlay that is gone", (here) => ({ overlays: [here.at("gone")] }), /overlay .*gone/],
    [
      "a file over the skill",
      (here) => ({
        skill: claude(here.skill("foo")),
        fixtures: [{ kind: "inline", target: ".claude/skills/foo/SKILL.md", content: "" }],
      }),
      /overwrite the skill/,
    ],
    [
      "a file over the skill's folder",
      (here) => ({
        skill: claude(here.skill("foo")),
        fixtures: [{ kind: "inline", target: ".claude/skills", content: "" }],
      }),
      /overwrite the skill/,
    ],
  ])("is told and leaves nothing behind: %s", async (_, spec, reason) => {
    await using here = new Ground();
    here.write({ "evals.json": "{}", f: "x" }, here.root);
    const base = await here.base({ hidden: [here.at("evals.json")] });
    const staging = await here.attempt(base, spec(here));
    expect(staging).toMatchObject({ kind: "failed", reason: expect.stringMatching(reason) });
    expect(names(here.run)).toEqual(["base0"]);
  });

  it("keeps a directory of files out of the skill, and eval files out of the directory", async () => {
    await using here = new Ground();
    const skill = here.skill("foo");
    here.write(
      {
        "skills/foo/SKILL.md": "impostor",
        "skills/bar/SKILL.md": skillMd("bar"),
        "evals.json": "{}",
        x: "x",
      },
      here.at("dot"),
    );
    const base = await here.base({ skills: [skill], hidden: [here.at("dot/evals.json"), here.at("dot")] });
    await using staged = await here.stage(base, {
      skill: claude(skill),
      fixtures: [fixture(here.at("dot"), ".claude")],
    });
    expect(seen(staged)).toEqual([".claude/skills/bar/SKILL.md", ".claude/skills/foo/SKILL.md", ".claude/x"]);
    expect(inside(staged, "cat .claude/skills/foo/SKILL.md")).toBe(skillMd("foo"));
  });
});
