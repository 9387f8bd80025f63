import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { run, SHOULD, triggerProject } from "../support/trigger-project.ts";

describe("--probe", () => {
  const SHOW = `*) cat .claude/skills/*/SKILL.md; ls .claude/skills/*; fire "$ASSAY_SKILL" ;;`;
  it.each([
    ["intact", true],
    ["stub", false],
  ])("%s", async (probe, whole) => {
    await using tree = await triggerProject({ queries: [SHOULD], arms: SHOW });
    await run(tree, "--runs", "1", "--probe", probe);
    const said = await readFile(
      tree.path(".assay/greeter/iteration-1/triggers/q001/with_skill/run-1/output.txt"),
      "utf8",
    );
    expect(said).toMatch(/name: "greeter-[0-9a-f]{8}"\ndescription: >-\n {2}Greets people\n {2}by name\.\n/);
    expect(said.includes("Say hello.")).toBe(whole);
    expect(said.includes("reference.md")).toBe(whole);
  });
});
