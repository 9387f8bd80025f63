import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { SETTINGS } from "../../src/engine/settings.ts";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

const CONFIG = { "assay.config.json": '{ "workspace": "out" }' };

describe("the results folder of the configuration", () => {
  it("is the project's wherever a command is called, for those that look at results too", async () => {
    await using project = await greeterProject(GOOD_REPLIES, CONFIG);
    expect((await assay(RUN, { cwd: project.root })).exitCode).toBe(0);
    const shown = await assay(["show", "1"], { cwd: project.path("skills/greeter") });
    expect(shown.out).toContain("everything else: ../../out/greeter/iteration-1/");
    const there = await assay(["clean", "--keep", "0", "--dry-run"], { cwd: project.root });
    expect(there.out).toMatch(/would remove 1 iteration, .* MB; left: 0 iterations, 0\.0 MB in out\n/);
    const byDefault = await assay(["clean"], { cwd: project.root });
    expect(byDefault.out).toMatch(/^removed 0 iterations older than 30 days, 0\.0 MB; left: 1 iteration, /);
  });

  it("gives way to the environment, and that to a flag", async () => {
    await using project = await greeterProject(GOOD_REPLIES, CONFIG);
    const env = { ASSAY_WORKSPACE: "from-env" };
    const byEnv = await assay(RUN, { cwd: project.root, env });
    expect(byEnv.out).toContain("results: from-env/greeter/iteration-1");
    const byFlag = await assay([...RUN, "--workspace", "from-flag"], { cwd: project.root, env });
    expect(byFlag.out).toContain("results: from-flag/greeter/iteration-1");
  });
});

it("docs/configuration.md shows every key, its flag and what a project may do with it", async () => {
  const rows = Object.entries(SETTINGS).map(
    ([key, { flag, project, about }]) => `| \`${key}\` | \`${flag}\` | ${project.may} | ${about} |\n`,
  );
  const page = await readFile(new URL("../../docs/configuration.md", import.meta.url), "utf8");
  expect(page).toContain(
    `| key | as the flag | a project's file may | |\n|---|---|---|---|\n${rows.join("")}`,
  );
});
