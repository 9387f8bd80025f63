import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

describe("--dry-run", () => {
  it("says what would run and runs nothing", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const at = { cwd: project.root };
    const before = await readdir(project.root);
    const { out, exitCode } = await assay([...RUN, "--dry-run", "--runs", "3"], at);
    expect(out).toBe(
      [
        "greeter (scripted): 6 trials; time unknown, cost unknown (no earlier runs)",
        "  1 with_skill  3 runs",
        "  2 with_skill  3 runs",
        "6 trials would run: time unknown, cost unknown",
        "Nothing was run.",
        "",
      ].join("\n"),
    );
    expect(exitCode).toBe(0);
    expect(await readdir(project.root)).toEqual(before);
  });

  it("counts only what is left of a run that goes on, and prints JSON for programs", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const at = { cwd: project.root };
    await assay(RUN, at);
    const resumed = await assay([...RUN, "--dry-run", "--resume", "--runs", "2"], at);
    expect(resumed.out).toContain("greeter (scripted): 2 trials; 2 earlier runs kept; under 1 minute");
    const { out } = await assay([...RUN, "--dry-run", "--case", "2", "--json"], at);
    expect(JSON.parse(out)).toMatchObject({
      iterations: [{ suite: "greeter", harness: "scripted", trials: ["2/with_skill/run-1"] }],
    });
    expect(await readdir(project.path(".assay/greeter"))).toContain("iteration-1");
    expect(await readdir(project.path(".assay/greeter"))).not.toContain("iteration-2");
  });
});
