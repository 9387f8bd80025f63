import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

const FAILING = [...GOOD_REPLIES.slice(0, 1), { steps: [{ text: "Nothing was done" }] }];
const TWICE = ["--reporter", "junit=out/report.xml", "--reporter", "json=out/report.json"];

describe("reporters on the command line", () => {
  it.each([
    ["run", RUN],
    ["bench", ["bench", ...RUN.slice(1), "--smoke"]],
    ["grade", ["grade", "greeter"]],
  ])("add up over repeated flags of %s, and what is in files is told shortly", async (_name, words) => {
    await using project = await greeterProject(FAILING);
    await assay(RUN, { cwd: project.root });
    const { out, err } = await assay([...words, ...TWICE], { cwd: project.root });
    expect(out).toBe("");
    expect(err).toContain("wrote out/report.xml: 1 passed, 1 failed");
    expect(err).toContain("wrote out/report.json: 1 passed, 1 failed");
    expect(await readFile(project.path("out/report.xml"), "utf8")).toContain("<testsuites");
    expect(JSON.parse(await readFile(project.path("out/report.json"), "utf8"))).toHaveProperty("iterations");
  });

  it("count trials without a result", async () => {
    await using project = await greeterProject([
      ...GOOD_REPLIES.slice(0, 1),
      { steps: [{ fail: { reason: "auth", message: "no key" } }] },
    ]);
    const { exitCode, err } = await assay([...RUN, "--reporter", "junit=r.xml"], { cwd: project.root });
    expect(exitCode).toBe(3);
    expect(err).toContain("wrote r.xml: 1 passed, 0 failed, 1 trial without a result\n");
  });

  it.skipIf(!existsSync("/dev/full"))("say nothing of files that could not be written", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const { exitCode, err } = await assay([...RUN, "--reporter", "junit=/dev/full"], { cwd: project.root });
    expect(exitCode).toBe(0);
    expect(err).not.toContain("wrote");
    expect(err).toContain("the junit reporter failed");
  });

  it.each([
    ["taken/r.xml", "taken/r.xml cannot be written: a part of its path is a file"],
    ["skills", "skills cannot be written: it is a directory"],
    ...(existsSync("/proc/self")
      ? [
          ["/proc/x/r.xml", "/proc/x/r.xml cannot be written: no file can be made there"],
          ["/proc/r.xml", "/proc/r.xml cannot be written: no file can be made there"],
        ]
      : []),
  ])("refuse to write to %s before anything runs", async (file, message) => {
    await using project = await greeterProject(GOOD_REPLIES, { taken: "a file" });
    const { exitCode, out, err } = await assay([...RUN, "--reporter", `terminal,junit=${file}`], {
      cwd: project.root,
    });
    expect({ exitCode, out, err }).toEqual({
      exitCode: 2,
      out: "",
      err: `error: ${message} [file/unwritable]\n  hint: choose another path\n`,
    });
    expect(existsSync(project.path(".assay"))).toBe(false);
  });

  it("make no folder for a run that does not come", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    await assay([...RUN, "--dry-run", "--reporter", "junit=out/deep/r.xml"], { cwd: project.root });
    expect(existsSync(project.path("out"))).toBe(false);
  });

  it("leave the last word to the terminal where it is asked for too", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const words = [...RUN, "--reporter", "terminal", "--reporter", "junit=r.xml"];
    const { out, err } = await assay(words, { cwd: project.root });
    expect(out).toContain("greeter: passed");
    expect(err).not.toContain("wrote");
    expect(await readFile(project.path("r.xml"), "utf8")).toContain("<testsuites");
  });
});
