import { describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { BENCH, greeters, HELPS } from "../support/greeters.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

const FAILING = [GOOD_REPLIES[0]!, { steps: [{ text: "Nothing was done" }] }];

describe("how much a run says", () => {
  it("is only the result with -q, failures included", async () => {
    await using project = await greeterProject(FAILING);
    const usual = await assay(RUN, { cwd: project.root });
    const quiet = await assay([...RUN, "-q"], { cwd: project.root });
    expect(quiet).toMatchObject({ exitCode: 1, err: "" });
    expect(quiet.out).toContain("bob.txt");
    expect(quiet.out.length).toBeLessThan(usual.out.length);
    const files = await assay([...RUN, "-q", "--reporter", "junit=r.xml"], { cwd: project.root });
    expect(files).toEqual({ exitCode: 1, out: "", err: "" });
  });

  it("is what to do and the finding with -q of a benchmark", async () => {
    await using project = await greeters(3, HELPS);
    const { out, err } = await assay([...BENCH, "-q"], { cwd: project.root });
    expect(err).toBe("");
    expect(out).toMatch(/^\ngreeter: better, .*\n {2}Ship it: .*\n {2}Better on these 3 cases: /);
    expect(out.trimEnd().split("\n")).toHaveLength(4);
  });

  it("still names what is wrong with the call", async () => {
    await using project = await greeterProject(FAILING);
    const { exitCode, err } = await assay([...RUN, "-q", "--case", "nine"], { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain("error: ");
  });

  it("is each tool call and each verdict with -v", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const { err } = await assay([...RUN, "-v"], { cwd: project.root });
    expect(err).toMatch(/^ +greeter 2\/with_skill\/run-1: attempt 1$/m);
    expect(err).toMatch(/^ +greeter 1\/with_skill\/run-1: Skill /m);
    expect(err).toMatch(/^ +greeter 1\/with_skill\/run-1: passed: .*Hello Ada/m);
  });

  it("cannot be both", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const { exitCode, err } = await assay([...RUN, "-q", "-v"], { cwd: project.root });
    expect(exitCode).toBe(2);
    expect(err).toContain("--quiet and --verbose cannot be combined");
  });
});
