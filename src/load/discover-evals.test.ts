import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { tempTree } from "../../test/support/temp-tree.ts";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { evalsFinder } from "./find-evals.ts";
import { parseSkill } from "./skill.ts";

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
