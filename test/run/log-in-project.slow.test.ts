import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { greeterProject, journal, RUN } from "../support/project.ts";

const ASSAY = fileURLToPath(new URL("../../bin/assay.js", import.meta.url));

it("a log of the run in the project is seen by no agent and makes nothing run again", async () => {
  await using project = await greeterProject([
    { steps: [{ bash: "find . -name '*.log'" }, { text: "Hello" }] },
  ]);
  const command = [ASSAY, ...RUN, "--case", "1", "--resume"].map((word) => `'${word}'`).join(" ");
  const env = { ...process.env, HOME: "/nonexistent" };
  for (const _ of [1, 2]) {
    spawnSync("sh", ["-c", `'${process.execPath}' ${command} > run.log 2> err.log`], {
      cwd: project.root,
      env,
    });
  }
  expect(await readFile(project.path("run.log"), "utf8")).toContain("greeter");
  const events = await journal(project.root);
  expect(events.filter((event) => event.kind === "trial-started")).toHaveLength(1);
  const folder = ".assay/greeter/iteration-1/eval-1/with_skill/run-1";
  const transcript = await readFile(project.path(`${folder}/transcript.md`), "utf8");
  expect(transcript).not.toMatch(/(?:run|err)\.log/u);
});
