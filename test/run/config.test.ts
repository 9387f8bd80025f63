import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, journal } from "../support/project.ts";

const RUN = ["run", "skills/greeter", "--script", "script.json", "--case", "1"];

async function started(root: string) {
  const event = (await journal(root)).find((one) => one.kind === "iteration-started");
  return { harness: event?.iteration.harness, trials: event?.trials.length };
}

describe("the project's configuration", () => {
  it("holds where nobody says otherwise", async () => {
    await using project = await greeterProject(GOOD_REPLIES, {
      "assay.config.json": '{"harness": "scripted", "runs": 2}',
    });
    await assay(RUN, { cwd: project.root });
    expect(await started(project.root)).toEqual({ harness: "scripted", trials: 2 });
  });

  it("gives way to flags", async () => {
    await using project = await greeterProject(GOOD_REPLIES, {
      "assay.config.json": '{"harness": "codex", "runs": 5, "sandbox": "bwrap"}',
    });
    const flags = ["--harness", "scripted", "--runs", "1", "--sandbox", "none"];
    await assay([...RUN, ...flags], { cwd: project.root });
    expect(await started(project.root)).toEqual({ harness: "scripted", trials: 1 });
    const finished = (await journal(project.root)).find((one) => one.kind === "trial-finished");
    expect(finished?.run.conditions.sandbox).toBe("none");
  });

  it("is refused with its place when it is wrong", async () => {
    await using project = await greeterProject(GOOD_REPLIES, {
      "assay.config.json": '{\n  "harnes": "scripted"\n}',
    });
    const { exitCode, err } = await assay(RUN, { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain("assay.config.json:2:3");
    expect(err).toContain('did you mean "harness"?');
  });

  it("runs JavaScript only when it is named", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await writeFile(project.path("assay.config.mjs"), 'export default { harness: "scripted" };');
    expect((await assay(RUN, { cwd: project.root, env: { PATH: "/nonexistent" } })).err).toContain(
      "run/no-client",
    );
    await assay([...RUN, "--config", "assay.config.mjs"], { cwd: project.root });
    expect(await started(project.root)).toMatchObject({ harness: "scripted" });
  });
});
