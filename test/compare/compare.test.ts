import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../src/domain/json.ts";
import { analysisReader } from "../../src/store/read/analysis.ts";
import { comparisonReader } from "../../src/store/read/comparison.ts";
import { assay } from "../support/command-line.ts";
import { comparisonReplyOf } from "../support/comparing.ts";
import { expectGolden } from "../support/golden.ts";
import {
  agentScript,
  type ComparingProject,
  comparingProject,
  PLAIN,
  skillText,
  WARM,
} from "./comparing-project.ts";

const GOLDEN = join(dirname(fileURLToPath(import.meta.url)), "fixtures", "golden");
const GRADING = ".assay/greeter/grading/iteration-2-vs-iteration-1";

const FIRST_IS_WARM = {
  system: "compare two outputs",
  anywhere: { regex: "output 1\\]\\][^]*dear[^]*output 2\\]\\]" },
};
const COMPARES = { system: "compare two outputs" };

function analysis(...suggestions: readonly Json[]): Json {
  return {
    execution_pattern: {
      run_1: "Took up the skill -> greeted warmly",
      run_2: "Took up the skill -> greeted",
    },
    instruction_following: {
      run_1: { issues: [], score: 9 },
      run_2: { issues: ["did not say hello"], score: 4 },
    },
    strengths: ["asks for warmth"],
    weaknesses: ["does not say how to greet"],
    suggestions,
  };
}

function suggestion(text: string, transcript: Json, skill: Json): Json {
  return {
    priority: "high",
    category: "instructions",
    suggestion: text,
    expected_impact: "Warmer",
    transcript,
    skill,
  };
}

const SUPPORTED = suggestion(
  "Ask for warmth.",
  { run: "2", event: 4, quote: "hi Ada" },
  { of: "2", file: "SKILL.md", line: 6, quote: "Say hello." },
);
const OF_THE_FIRST = suggestion(
  "Ask for warmth.",
  { run: "1", event: 4, quote: "hi Ada" },
  { of: "1", file: "SKILL.md", line: 6, quote: "Say hello." },
);
const INVENTED = suggestion(
  "Ask for a bow.",
  { run: "2", event: 4, quote: "I will not bow to Ada" },
  { of: "2", file: "SKILL.md", line: 6, quote: "Say hello." },
);

/** Prefers the warm answer wherever it stands, and explains it. */
const FAIR: readonly Json[] = [
  {
    name: "analysis",
    when: { system: "explain why two versions" },
    reply: { json: analysis(SUPPORTED, INVENTED) },
  },
  { name: "first", when: FIRST_IS_WARM, reply: { json: comparisonReplyOf(5, 3) } },
  { name: "second", when: COMPARES, reply: { json: comparisonReplyOf(3, 5) } },
];

function asked(project: ComparingProject, ...rules: readonly string[]): number {
  return project.sim.requests.filter(({ rule }) => rules.includes(rule ?? "")).length;
}

async function twoIterations(rules: Json = FAIR): Promise<ComparingProject> {
  const project = await comparingProject(rules);
  await project.run(PLAIN);
  await project.run(WARM);
  return project;
}

describe("two iterations", () => {
  it("are compared check by check and blind, and analyzed, in files of the seed's shape", async () => {
    await using project = await twoIterations();
    const { out, exitCode } = await project.assay("compare", "1", "2", "--analyze");
    expect(exitCode).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "iteration-2 against iteration-1

      checks: 0 regressed, 2 fixed
        fixed      1: the output contains "Hello dear Ada"
        fixed      2: the output contains "Hello dear Bob"

      blind: iteration-2 wins
        of 6 votes: 6 for iteration-2, 0 for iteration-1
        1: iteration-2 (3 of 3): iteration-1 and iteration-2 were weighed.
        2: iteration-2 (3 of 3): iteration-1 and iteration-2 were weighed.
        the order made no difference in 100 % of judgements
        over cases: sign test p = 0.500, so this may be chance in the choice of cases

      analysis: 1 suggestion, 1 dropped for lack of support
        high, instructions: Ask for warmth.
          SKILL.md:6 "Say hello."; event 4 "hi Ada"

      files: .assay/greeter/grading/iteration-2-vs-iteration-1
      "
    `);
    expect(asked(project, "first", "second")).toBe(12);
    expect(asked(project, "analysis")).toBe(2);
    const files = (await readdir(project.path(GRADING))).toSorted();
    await expectGolden(GOLDEN, { root: project.path(GRADING), files, project: project.root });
    for (const file of files.filter((name) => name.startsWith("comparison"))) {
      expect((await comparisonReader.read(project.path(`${GRADING}/${file}`))).diagnostics).toEqual([]);
    }
    const read = await analysisReader.read(project.path(`${GRADING}/analysis.json`));
    expect(read.diagnostics).toEqual([]);
    expect(read.value?.improvementSuggestions.map((one) => one.suggestion)).toEqual(["Ask for warmth."]);
  });

  it("cost nothing the second time, nor when only flips are wanted", async () => {
    await using project = await twoIterations();
    await project.assay("compare", "1", "2", "--flips");
    expect(asked(project, "first", "second")).toBe(0);
    const before = await project.assay("compare", "1", "2", "--json");
    const after = await project.assay("compare", "greeter@1", "greeter@2", "--json");
    expect(after.out).toBe(before.out);
    expect(asked(project, "first", "second")).toBe(12);
  });

  it("that were broken off are gone on with: nothing is paid twice", async () => {
    const broken = { name: "broken", when: COMPARES, fault: { status: 400 }, times: 5 };
    await using project = await twoIterations([broken, ...FAIR]);
    const first = await project.assay("compare", "1", "2", "--concurrency", "1");
    expect(first.exitCode).toBe(3);
    expect(first.out).toContain("unscored");
    const answered = asked(project, "first", "second");
    expect(answered).toBe(7);
    const second = await project.assay("compare", "1", "2", "--concurrency", "1");
    expect(second).toMatchObject({ exitCode: 0 });
    expect(second.out).toContain("iteration-2 wins");
    expect(asked(project, "first", "second")).toBe(12);
  });

  it("are known by every name that Assay itself calls them", async () => {
    await using project = await twoIterations();
    const { out } = await project.assay("compare", "greeter@1", "2", "--flips");
    expect(out).toContain("iteration-2 against iteration-1");
    for (const names of [
      ["iteration-1", "iteration-2"],
      ["greeter/iteration-1", "greeter/iteration-2"],
      [".assay/greeter/iteration-1", ".assay/greeter"],
      ["1:with_skill", "greeter"],
    ]) {
      expect(await project.assay("compare", ...names, "--flips")).toEqual({ out, err: "", exitCode: 0 });
    }
  });

  it("exit 1 when the second is worse", async () => {
    await using project = await twoIterations();
    const { out, exitCode } = await project.assay("compare", "2", "1");
    expect(out).toContain("2 regressed");
    expect(out).toContain("blind: iteration-2 wins");
    expect(exitCode).toBe(1);
    expect(await readdir(project.path(".assay/greeter/grading"))).toEqual(["iteration-1-vs-iteration-2"]);
  });

  it("tie when the judge always prefers the first answer, and that is analyzed too", async () => {
    await using project = await twoIterations([
      { when: { system: "ended in a tie" }, reply: { json: analysis(OF_THE_FIRST) } },
      { name: "biased", when: COMPARES, reply: { json: comparisonReplyOf(5, 2) } },
    ]);
    const { out, exitCode } = await project.assay("compare", "1", "2", "--analyze");
    expect(out).toContain(
      "blind: a tie\n  of 6 votes: 0 for iteration-2, 0 for iteration-1, 6 that changed with the order",
    );
    expect(out).toContain("the order made no difference in 0 % of judgements");
    expect(exitCode).toBe(0);
    const { value, diagnostics } = await analysisReader.read(project.path(`${GRADING}/analysis.json`));
    expect(diagnostics).toEqual([]);
    expect(value?.comparison.winner).toBe("TIE");
    expect(value?.extras["notes"]).toEqual([
      'nobody won: "winner" stands for iteration-1, "loser" for iteration-2',
    ]);
  });

  it("leave judgements unscored that contradict themselves twice", async () => {
    await using project = await twoIterations([
      { name: "liar", when: COMPARES, reply: { json: comparisonReplyOf(5, 2, { winner: "2" }) } },
    ]);
    const { out, exitCode } = await project.assay("compare", "1", "2", "--case", "1", "--judges", "1");
    expect(out).toContain("unscored: winner and points contradict each other: winner is 2");
    expect(exitCode).toBe(3);
    expect(asked(project, "liar")).toBe(4);
  });

  it("with the same answers are a tie without a question", async () => {
    await using project = await comparingProject(FAIR);
    await project.run(WARM);
    await project.run(WARM);
    const { out, exitCode } = await project.assay("compare", "1", "2");
    expect(out).toContain("1: tie, the outputs are the same");
    expect(asked(project, "first", "second")).toBe(0);
    expect(exitCode).toBe(0);
  });

  it("compare their arms by variant, and repetitions as asked for", async () => {
    await using project = await comparingProject(FAIR);
    await project.run(PLAIN, "--runs", "2");
    await project.run(WARM, "--runs", "2");
    const { out } = await project.assay(
      "compare",
      "1:with_skill",
      "2",
      "--pairs",
      "2",
      "--judges",
      "1",
      "--case",
      "2",
    );
    expect(out).toContain("2, run 2: iteration-2 (1 of 1)");
    expect(out).toContain("a tie, leaning to iteration-2 (coins would give as many votes 6 % of the time)");
    const unknown = await project.assay("compare", "1:old_skill", "2");
    expect(unknown.err).toContain("compare/no-variant");
  });
});

describe("other things", () => {
  it("two runs of one case", async () => {
    await using project = await twoIterations();
    const run = (iteration: number, id: number) =>
      `.assay/greeter/iteration-${iteration}/eval-${id}/with_skill/run-1`;
    const { out, exitCode } = await project.assay("compare", run(1, 1), run(2, 1));
    expect(out).toContain("blind: iteration-2/eval-1/with_skill/run-1 wins");
    expect(exitCode).toBe(0);
    expect(await readdir(project.path(".assay/comparisons"))).toHaveLength(1);
    const mixed = await project.assay("compare", run(1, 1), run(2, 2));
    expect(mixed.err).toContain("compare/other-case");
  });

  it("two texts, with what was asked or with a case", async () => {
    await using project = await twoIterations();
    await writeFile(project.path("old.txt"), "hi Ada");
    await writeFile(project.path("new.txt"), "Hello dear Ada");
    const none = await project.assay("compare", "old.txt", "new.txt");
    expect(none).toMatchObject({ exitCode: 2 });
    expect(none.err).toContain("--prompt");
    const { out } = await project.assay("compare", "old.txt", "new.txt", "--prompt", "Greet Ada");
    expect(out).toContain("blind: new.txt wins");
    const graded = await project.assay(
      "compare",
      "old.txt",
      "new.txt",
      "--skill",
      "skills/greeter",
      "--case",
      "1",
      "--json",
    );
    expect(JSON.parse(graded.out)).toMatchObject({ flips: null, blind: { winner: "new.txt" } });
    const [, second] = await readdir(project.path(".assay/comparisons"));
    expect(second).toBeUndefined();
  });

  it("by everyone who sits on the panel, however many models that are", async () => {
    await using project = await comparingProject(FAIR);
    await writeFile(project.path("old.txt"), "hi Ada");
    await writeFile(project.path("new.txt"), "Hello dear Ada");
    const models = ["claude-1", "claude-2", "claude-3", "claude-4"];
    const texts = ["old.txt", "new.txt", "--prompt", "Greet Ada"];
    const { err } = await project.assay("compare", ...texts, "--grading-model", models.join(","));
    expect(err).toContain("at most 8 questions");
    const asked = project.sim.requests.map(({ seen }) => seen?.model ?? "");
    expect(asked.toSorted()).toEqual(models.flatMap((model) => [model, model]));
  });

  it("two versions, which are run first: a directory and a git ref", async () => {
    await using project = await comparingProject(FAIR);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
        cwd: project.root,
      });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "plain");
    await mkdir(project.path("older/greeter"), { recursive: true });
    await writeFile(project.path("older/greeter/SKILL.md"), skillText(PLAIN.skill));
    await writeFile(project.path("skills/greeter/SKILL.md"), skillText(WARM.skill));
    await writeFile(project.path("script.json"), agentScript({ Ada: "Hello dear Ada", Bob: "hi Bob" }));
    for (const version of ["older/greeter", "main"]) {
      const { out, err, exitCode } = await project.assay(
        "compare",
        version,
        "skills/greeter",
        "--harness",
        "scripted",
        "--script",
        "script.json",
        "--analyze",
      );
      expect(err).toContain("4 trials");
      expect(out).toContain(`skills/greeter against ${version}`);
      expect(out).toContain("the outputs are the same");
      expect(exitCode).toBe(0);
    }
  });
});

describe("what cannot be compared", () => {
  let project: ComparingProject;
  beforeAll(async () => {
    project = await twoIterations();
    await writeFile(project.path("notes.txt"), "text");
    await mkdir(project.path("empty"));
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it.each([
    [["1", "9"], "compare/no-iteration", "there are 1, 2"],
    [["other@1", "2"], "nothing of other was run in .assay [compare/no-iteration]", "there are greeter"],
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
    [["nowhere/iteration-3", "1"], "nothing of nowhere was run", "there are greeter"],
    [["nowhere/else", "1"], "compare/unknown", "SKILL@3"],
    [["1", "2", "--case", "nope"], "compare/no-case", "both have 1, 2"],
    [
      ["main", "skills/greeter", "--harness", "scripted", "--script", "script.json"],
      "bench/no-version",
      "lies in no git repository",
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
    expect(out).toContain("checks: 0 regressed, 1 fixed\n");
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
    expect(err).toContain("name another iteration");
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
    expect(bare.err).toContain("write SKILL@1; there are greeter, parting");
  });

  it("was run by another harness or model, unless --cross says so", async () => {
    await using own = await twoIterations();
    const manifest = own.path(".assay/greeter/iteration-2/journal.jsonl");
    const journal = await readFile(manifest, "utf8");
    await writeFile(manifest, journal.replaceAll('"harness":"scripted"', '"harness":"codex"'));
    const refused = await own.assay("compare", "1", "2");
    expect(refused.err).toContain("the two were not run alike: harness scripted and codex");
    expect(refused.exitCode).toBe(2);
    const { err, exitCode } = await own.assay("compare", "1", "2", "--cross");
    expect(err).toContain("note: not run alike: harness scripted and codex");
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
    expect(bare.out).toContain("checks: 0 regressed, 2 fixed");
    expect(bare.out).toContain("blind: not judged");
    expect(bare.out).toContain("unscored: no judge is configured: set ANTHROPIC_API_KEY");
    expect(bare.exitCode).toBe(3);
    await rm(own.path(".assay/greeter/iteration-1"), { recursive: true });
    const gone = await own.assay("compare", "1", "2");
    expect(gone.err).toContain("compare/no-iteration");
  });
});
