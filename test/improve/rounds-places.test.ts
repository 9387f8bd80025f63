import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { tempTree } from "../support/temp-tree.ts";
import { improve, project, SKILL } from "./greeting-rounds.ts";

describe("where assay improve keeps what it does", { timeout: 60_000 }, () => {
  it("sets an earlier history aside when told to begin anew", async () => {
    await using made = await project();
    await improve(made, "--rounds", "1");
    await writeFile(made.path("skills/greeter/SKILL.md"), `${SKILL}More.\n`);
    const { err } = await improve(made, "--rounds", "1", "--restart");
    expect(err).toContain("the earlier history is now in");
    expect(await made.text(".assay/greeter/earlier-1/v0/skill/SKILL.md")).toBe(SKILL);
    expect(await made.text(".assay/greeter/v0/skill/SKILL.md")).toBe(`${SKILL}More.\n`);
  });

  it("leaves comparisons of iterations where they are", async () => {
    await using made = await project();
    const compared = ".assay/greeter/grading/iteration-2-vs-iteration-1/outcome.json";
    await improve(made, "--rounds", "1");
    await mkdir(made.path(dirname(compared)), { recursive: true });
    await writeFile(made.path(compared), "{}");
    await improve(made, "--rounds", "1", "--restart");
    expect(await made.text(compared)).toBe("{}");
    expect(await made.text(".assay/greeter/earlier-1/grading/v1-vs-v0/outcome.json")).toContain('"v1"');
  });

  it("runs versions in the project, wherever results go", async () => {
    await using made = await project();
    await using elsewhere = await tempTree();
    const { exitCode } = await improve(made, "--rounds", "1", "--workspace", elsewhere.root);
    expect(exitCode).toBe(0);
    const text = await readFile(elsewhere.path("greeter/history.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ current_best: "v1" });
  });
});
