import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { type ComparingProject, skillText } from "./comparing-project.ts";
import { asked, twoIterations } from "./warm-judge.ts";

describe("what cannot be compared", () => {
  let project: ComparingProject;
  beforeAll(async () => {
    project = await twoIterations();
    await writeFile(project.path("notes.txt"), "text");
    await mkdir(project.path("empty"));
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it.each([
    [["1", "9"], "compare/no-iteration", "iterations: 1, 2"],
    [
      ["other@1", "2"],
      "nothing of other was run in .assay [compare/no-iteration]",
      "skills with results: greeter",
    ],
    [["greter@1", "2"], "nothing of greter was run", "did you mean greeter@1?"],
    [["1:with-skill", "2"], "compare/no-variant", "did you mean with_skill?"],
    [["1", "2", "--flips", "--analyze"], "compare/flips-only", "needs the blind comparison"],
    [["1", "2", "--flips", "--human"], "compare/flips-only", "needs the blind comparison"],
    [["notes.txt", "notes.txt", "--prompt", "x", "--flips"], "compare/no-flips", "leave it out"],
    [
      ["1", "skills/greeter"],
      "skills/greeter is a version of a skill [compare/mixed]",
      "two versions of a skill",
    ],
    [["1", "1"], "compare/same", "--aa"],
    [["1", "notes.txt"], "compare/mixed", "two of the same kind"],
    [["1", "empty"], "compare/unknown", "SKILL@3"],
    [["no such thing", "1"], "compare/unknown", "SKILL@3"],
    [["nowhere/iteration-3", "1"], "nothing of nowhere was run", "skills with results: greeter"],
    [["nowhere/else", "1"], "compare/unknown", "SKILL@3"],
    [["1", "2", "--case", "nope"], "compare/no-case", "both have 1, 2"],
    [
      ["main", "skills/greeter", "--harness", "scripted", "--script", "script.json"],
      "bench/no-version",
      "is not in a git repository",
    ],
    [["1", "2", "--human"], "compare/nobody", "terminal"],
    [["1", "2", "--judges", "0"], "--judges", "at least 1"],
    [["1"], "second", "--help"],
  ])("%j", async (args, code, hint) => {
    const { exitCode, err, out } = await project.assay("compare", ...args);
    expect(err).toContain(code);
    expect(err).toContain(hint);
    expect(out).toBe("");
    expect(exitCode).toBe(2);
    expect(asked(project, "first", "second")).toBe(0);
  });

  it("is a case without a run that counts: the rest is compared, and the exit code says so", async () => {
    await using own = await twoIterations();
    const journal = own.path(".assay/greeter/iteration-2/journal.jsonl");
    const lines = (await readFile(journal, "utf8")).split("\n");
    const spoilt = lines.map((line) =>
      line.includes('"trial-finished"') && line.includes('"caseId":"2"')
        ? line.replace('"outcome":{"status":"completed"}', '"outcome":{"status":"invalid","message":"x"}')
        : line,
    );
    expect(spoilt).not.toEqual(lines);
    await writeFile(journal, spoilt.join("\n"));
    const { out, err, exitCode } = await own.assay("compare", "1", "2");
    expect(err).toContain("note: case 2 is not compared: no run of iteration-2 counts (left out as invalid)");
    expect(out).toContain("checks: 0 regressed, 1 moved\n");
    expect(out).not.toContain("removed");
    expect(out).toContain("of 3 votes: 3 for iteration-2");
    expect(exitCode).toBe(3);
    expect(await own.assay("compare", "1", "2", "--case", "1")).toMatchObject({ exitCode: 0 });
  });

  it("is an iteration whose journal has no beginning", async () => {
    await using own = await twoIterations();
    await writeFile(own.path(".assay/greeter/iteration-1/journal.jsonl"), "no event\n");
    const { err, exitCode } = await own.assay("compare", "1", "2");
    expect(err).toContain("iteration-1/journal.jsonl does not say what was run");
    expect(err).toContain("choose another iteration");
    expect(exitCode).toBe(2);
  });

  it("is an iteration of another skill", async () => {
    await using own = await twoIterations();
    await mkdir(own.path("skills/parting/evals"), { recursive: true });
    await writeFile(
      own.path("skills/parting/SKILL.md"),
      skillText("Say goodbye.").replace("greeter", "parting"),
    );
    const evals = await readFile(own.path("skills/greeter/evals/evals.json"), "utf8");
    await writeFile(own.path("skills/parting/evals/evals.json"), evals.replace("greeter", "parting"));
    await own.assay("run", "skills/parting", "--harness", "scripted", "--script", "script.json");
    const { err, exitCode } = await own.assay("compare", "greeter@2", "parting@1");
    expect(err).toContain("greeter@2 is about the skill greeter, parting@1 about parting");
    expect(exitCode).toBe(2);
    const bare = await own.assay("compare", "1", "2");
    expect(bare.err).toContain("write greeter@1, for example; there are greeter, parting");
  });

  it("was run by another harness or model, unless --cross says so", async () => {
    await using own = await twoIterations();
    const manifest = own.path(".assay/greeter/iteration-2/journal.jsonl");
    const journal = await readFile(manifest, "utf8");
    await writeFile(manifest, journal.replaceAll('"harness":"scripted"', '"harness":"codex"'));
    const refused = await own.assay("compare", "1", "2");
    expect(refused.err).toContain("the two were run differently: harness scripted and codex");
    expect(refused.exitCode).toBe(2);
    const { err, exitCode } = await own.assay("compare", "1", "2", "--cross");
    expect(err).toContain("note: run differently: harness scripted and codex");
    expect(exitCode).toBe(0);
  });

  it("without a judge, only check by check", async () => {
    await using own = await twoIterations();
    await own.sim.close();
    const flips = await own.assay("compare", "1", "2", "--flips", "--prompt", "unused");
    expect(flips).toMatchObject({
      exitCode: 0,
      err: "note: --prompt is for two text files and is not used here\n",
    });
    const bare = await assay(["compare", "1", "2"], { cwd: own.root, env: { PATH: "/usr/bin:/bin" } });
    expect(bare.out).toContain("checks: 0 regressed, 2 moved");
    expect(bare.out).toContain("blind: not judged");
    expect(bare.out).toContain("unscored: no judge is configured: set ANTHROPIC_API_KEY");
    expect(bare.exitCode).toBe(3);
    await rm(own.path(".assay/greeter/iteration-1"), { recursive: true });
    const gone = await own.assay("compare", "1", "2");
    expect(gone.err).toContain("compare/no-iteration");
  });
});
