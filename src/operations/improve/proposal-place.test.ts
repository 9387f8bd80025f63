import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Skill } from "../../domain/skill.ts";
import type { FormatName } from "../../domain/suite.ts";
import { inTempFolder } from "../../engine/run-folder.ts";
import { parseSkill } from "../../load/skill.ts";
import { thisMachine } from "../../this-machine.ts";
import { ensureFree, proposalPlace } from "./proposal-place.ts";

const TEXT = "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n";

function skillIn(cwd: string): Skill {
  return parseSkill(join(cwd, "skills", "greeter", "SKILL.md"), TEXT).skill;
}

const machineAt = (cwd: string) => ({ ...thisMachine(), cwd });

describe("where drafted evals go", () => {
  it.each<[FormatName, string, string, string]>([
    ["skill-creator", "skills/greeter/evals", "evals.json", "evals.json"],
    ["clauditor", "skills/greeter", "eval.json", "SKILL.eval.json"],
    ["bmad", "evals/greeter", "triggers.json", "triggers.json"],
    ["skillet", "skills/greeter/evals", "7.yaml", "007.yaml"],
  ])("as %s is %s, where they are looked for", (to, directory, written, name) => {
    const place = proposalPlace(skillIn("/project"), { to, output: null }, machineAt("/project"));
    expect(place.directory).toBe(join("/project", directory));
    expect(place.nameOf(written)).toBe(name);
  });

  it.each<FormatName>(["skill-creator", "clauditor", "bmad", "skillet"])(
    "as %s is the directory that was named, from where the caller is",
    (to) => {
      const { directory } = proposalPlace(
        skillIn("/project"),
        { to, output: "drafts" },
        machineAt("/project"),
      );
      expect(directory).toBe("/project/drafts");
    },
  );
});

describe("what lies there already", () => {
  it.each<[FormatName, string]>([
    ["skill-creator", "skills/greeter/evals/evals.json"],
    ["skill-creator", "skills/greeter/evals/trigger-eval.json"],
    ["clauditor", "skills/greeter/SKILL.eval.json"],
    ["bmad", "evals/greeter/triggers.json"],
    ["skillet", "skills/greeter/evals/my-own.yml"],
  ])("as %s in %s is never overwritten", async (to, file) => {
    await inTempFolder(async (cwd) => {
      const place = proposalPlace(skillIn(cwd), { to, output: null }, machineAt(cwd));
      await expect(ensureFree(place, to, machineAt(cwd))).resolves.toBeUndefined();
      await mkdir(dirname(join(cwd, file)), { recursive: true });
      await writeFile(join(cwd, file), "mine");
      await expect(ensureFree(place, to, machineAt(cwd))).rejects.toMatchObject({
        code: "propose/exists",
        message: `${file} already exists`,
        hint: expect.stringContaining("nothing was asked"),
      });
    });
  });

  it("is no hindrance where it is none of what would be written", async () => {
    await inTempFolder(async (cwd) => {
      await mkdir(join(cwd, "skills/greeter/evals"), { recursive: true });
      await writeFile(join(cwd, "skills/greeter/evals/notes.txt"), "mine");
      const place = proposalPlace(skillIn(cwd), { to: "skill-creator", output: null }, machineAt(cwd));
      await expect(ensureFree(place, "skill-creator", machineAt(cwd))).resolves.toBeUndefined();
    });
  });

  it("may be a file where a directory should be", async () => {
    await inTempFolder(async (cwd) => {
      await writeFile(join(cwd, "drafts"), "mine");
      const place = proposalPlace(skillIn(cwd), { to: "bmad", output: "drafts" }, machineAt(cwd));
      await expect(ensureFree(place, "bmad", machineAt(cwd))).rejects.toMatchObject({
        code: "propose/no-directory",
        message: "drafts is a file, not a directory",
      });
    });
  });
});
