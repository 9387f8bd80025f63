import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { comparisonReplyOf } from "../support/comparing.ts";
import { improveProject, type SimRule } from "../support/improve-kit.ts";
import {
  benchmarkOnly,
  bmadFolder,
  clauditorFolder,
  contradictoryWorkspace,
  flatWorkspace,
  laterBmadFolder,
  numberedWorkspace,
  oddWorkspace,
  PROJECT,
  runsWorkspace,
} from "./workspaces.ts";

type Files = Readonly<Record<string, string>>;

function projectWith(files: Files, rules: readonly SimRule[] = []) {
  return improveProject({ ...PROJECT, ...files }, rules);
}

/** Every file of a folder with its content, to see that nobody wrote there. */
async function contents(root: string): Promise<Files> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = await Promise.all(
    files.toSorted().map(async (file) => [relative(root, file), await readFile(file, "utf8")] as const),
  );
  return Object.fromEntries(read);
}

describe("assay show", () => {
  it.each<[string, Files, string, RegExp]>([
    [
      "skill-creator's numbered runs",
      numberedWorkspace(),
      "greeter-workspace/iteration-1/eval-2-bob/with_skill/run-1",
      /greeter iteration-1, 2\/with_skill\/run-1: completed[\s\S]*Greet Bob[\s\S]*It names Bob[\s\S]*only 'Hi'/,
    ],
    [
      "agentskills.io's flat runs",
      flatWorkspace(),
      "greeter-workspace/iteration-1/bob-at-night/with_skill",
      /It names Bob[\s\S]*only 'Hi'/,
    ],
    ["a whole workspace", numberedWorkspace(), "greeter-workspace", /greeter iteration-2/],
    [
      "runs without an iteration",
      runsWorkspace(),
      "greeter-workspace/benchmarks/2026-01-15T10-30-00",
      /It names Bob/,
    ],
    [
      "a benchmark without runs",
      benchmarkOnly(),
      "greeter-workspace/iteration-1",
      /bob\/with_skill\/run-1[\s\S]*It names Bob/,
    ],
    [
      "runs that share a file",
      oddWorkspace(),
      "greeter-workspace/iteration-1",
      /2\/with_skill\/run-1[\s\S]*It names Bob[\s\S]*looked/,
    ],
    [
      "clauditor's layers",
      clauditorFolder(),
      ".clauditor",
      /greeter iteration-3, greeter\/with_skill\/run-1[\s\S]*curt/,
    ],
    [
      "one run of clauditor",
      clauditorFolder(),
      ".clauditor/iteration-3/greeter/run-1",
      /greeter\/with_skill\/run-2[\s\S]*not found/,
    ],
    [
      "BMad's run folder",
      bmadFolder(),
      "eval-runs/20260203-040506-greeter",
      /greeter iteration-1, A1\/with_skill\/run-1[\s\S]*It names Bob/,
    ],
    [
      "a run of BMad that timed out",
      bmadFolder(),
      "eval-runs/20260203-040506-greeter/B1",
      /B1\/with_skill\/run-1: timed out/,
    ],
    [
      "BMad's arms",
      laterBmadFolder(),
      "out/20260203-040506-evals/bare/bob/run-1",
      /bob\/without_skill\/run-1[\s\S]*It names Bob/,
    ],
    // The first of them loads the command.
  ])("reads %s", { timeout: 60_000 }, async (_name, files, path, shown) => {
    await using project = await projectWith(files);
    const { out, err, exitCode } = await project.assay("show", path, "--all");
    expect(`${out}${err}`).toMatch(shown);
    expect(exitCode).toBe(0);
  });

  it("says what contradicts itself, and reads the rest", async () => {
    await using project = await projectWith(contradictoryWorkspace());
    const { out, err, exitCode } = await project.assay(
      "show",
      "greeter-workspace/iteration-1/another/with_skill",
      "--all",
    );
    expect(exitCode).toBe(0);
    expect(out).toContain("It names Eve");
    expect(err).toMatch(/another and bob-at-night are both eval 2|bob-at-night and another are both eval 2/);
    expect(err).toMatch(/"maybe" does not say whether the skill was there/);
    expect(err).toMatch(/"with_skill" and "with_skill_again" are both with_skill/);
    expect(err).toMatch(/the summary does not fit the statements/);
    expect(err).toMatch(/1 of its 2 statements have no grade/);
    expect(err).toMatch(/torn\/with_skill\/grading\.json/);
  });

  it("says where benchmark.json counts otherwise than the gradings", async () => {
    await using project = await projectWith(runsWorkspace());
    const { err } = await project.assay("show", "greeter-workspace/benchmarks/2026-01-15T10-30-00");
    expect(err).toMatch(
      /eval 2, with_skill, run 1: it says 1 of 1, the run's grading.json 0 of 1; grading\.json is used/,
    );
  });

  it("writes nothing into the workspace, keeps secrets out of its copy, and reads it again when it changes", async () => {
    const secret = `sk-ant-${"a1B2".repeat(8)}`;
    const at = "greeter-workspace/iteration-1/eval-2-bob/with_skill/run-1";
    await using project = await projectWith({ ...numberedWorkspace(), [`${at}/outputs/key.txt`]: secret });
    const before = await contents(project.path("greeter-workspace"));
    await project.assay("show", at);
    expect(await contents(project.path("greeter-workspace"))).toEqual(before);
    expect(JSON.stringify(await contents(project.path(".assay")))).not.toContain(secret);
    await writeFile(
      project.path(`${at}/grading.json`),
      JSON.stringify({ expectations: [{ text: "It names Bob", passed: true, evidence: "now it does" }] }),
    );
    expect((await project.assay("show", at, "--all")).out).toContain("now it does");
  });
});

it("compares two iterations of a workspace check by check", async () => {
  await using project = await projectWith(numberedWorkspace());
  const sides = ["greeter-workspace/iteration-1", "greeter-workspace/iteration-2"];
  const { out, err } = await project.assay("compare", ...sides, "--flips");
  expect(`${out}${err}`).toMatch(/It names Bob/);
  expect(out).toContain("moved      2: It names Bob (0 of 1 -> 1 of 1 runs)");
});

it("has judges compare two runs of a workspace blind", async () => {
  await using project = await projectWith(numberedWorkspace(), [
    {
      when: {
        system: "You compare two outputs",
        anywhere: { regex: "output 1\\]\\][\\s\\S]*Hello Bob[\\s\\S]*output 2\\]\\]" },
      },
      reply: { json: comparisonReplyOf(5, 2) },
    },
    { when: { system: "You compare two outputs" }, reply: { json: comparisonReplyOf(2, 5) } },
  ]);
  const run = (number: number) => `greeter-workspace/iteration-${number}/eval-2-bob/with_skill/run-1`;
  const { out, err, exitCode } = await project.assay("compare", run(1), run(2));
  expect(`${out}${err}`).toMatch(/iteration-2\/eval-2-bob\/with_skill\/run-1/);
  expect(exitCode).toBe(0);
});

it("draws the trend of a workspace", async () => {
  await using project = await projectWith(numberedWorkspace());
  const { out, err } = await project.assay("trend", "greeter-workspace");
  expect(`${out}${err}`).toMatch(/67 %[\s\S]*100 %/);
});

it("grades a workspace by the evals of the skill, and keeps the verdicts beside it", async () => {
  await using project = await projectWith({
    ...numberedWorkspace(),
    "skills/greeter/evals/evals.json": JSON.stringify({
      skill_name: "greeter",
      evals: [
        {
          id: 1,
          prompt: "Greet Ada",
          assay: { checks: [{ type: "file_matches", path: "greeting.txt", pattern: "Ada" }] },
        },
        {
          id: 2,
          prompt: "Greet Bob",
          assay: {
            checks: [
              { type: "file_matches", path: "greeting.txt", pattern: "Bob" },
              { type: "contains", needle: "Hello" },
            ],
          },
        },
      ],
    }),
  });
  const words = ["grade", "greeter-workspace/iteration-1", "--skill", "skills/greeter"];
  expect((await project.assay(...words)).exitCode).not.toBe(0);
  const { out } = await project.assay("show", "greeter-workspace/iteration-1/eval-2-bob", "--all");
  expect(out).toContain("nothing in greeting.txt matches /Bob/");
  expect(out).toContain("skill-creator kept no answer of this run");
});

it("suggests edits from the failures and the feedback of a workspace", async () => {
  const feedback = { "bob-at-night": "Bob is never named", "eval-9-with_skill-run-1": "too long" };
  const files = {
    ...flatWorkspace(),
    "greeter-workspace/iteration-1/feedback.json": JSON.stringify(feedback),
  };
  await using project = await projectWith(files, [
    {
      when: { system: "You improve the instructions", anywhere: "Bob is never named" },
      reply: {
        json: {
          summary: "Names are missing.",
          edits: [
            {
              anchor: "Say hello.",
              replacement: "Say hello with the name.",
              rationale: "named",
              motivated_by: ["2/expectation-1"],
            },
          ],
        },
      },
    },
  ]);
  const { out, err } = await project.assay(
    "improve",
    "skills/greeter",
    "--suggest",
    "--iteration",
    "greeter-workspace/iteration-1",
  );
  expect(`${out}${err}`).toContain("+Say hello with the name.");
  expect(err).toContain('no run is called "eval-9-with_skill-run-1", so that feedback is ignored');
});

it("proposes evals from a run of a workspace", async () => {
  await using project = await projectWith(numberedWorkspace(), [
    {
      when: { anywhere: "only 'Hi'" },
      reply: {
        json: {
          evals: [{ prompt: "Greet Zoe", expected_output: "Zoe is named", expectations: ["It names Zoe"] }],
          triggers: [],
        },
      },
    },
  ]);
  const { out, err } = await project.assay(
    "propose",
    "skills/greeter",
    "--cases",
    "1",
    "--triggers",
    "0",
    "--output",
    "drafts",
    "--from",
    "greeter-workspace/iteration-1/eval-2-bob/with_skill/run-1",
  );
  expect(`${out}${err}`).toContain("drafts");
  expect(await project.text("drafts/evals.json")).toContain("Greet Zoe");
});

it("helps who names a folder in which no run can be read", async () => {
  await using project = await projectWith({ "greeter-workspace/iteration-1/eval-1/notes.txt": "nothing" });
  const { err, exitCode } = await project.assay("show", "greeter-workspace/iteration-1");
  expect(exitCode).toBe(2);
  expect(err).toMatch(/has no run that can be read[\s\S]*skill-creator/);
});

it("cleans imports up, also those that a newer one replaced, and reads the workspace again", async () => {
  await using project = await projectWith(numberedWorkspace());
  const run = "greeter-workspace/iteration-1/eval-2-bob/with_skill/run-1";
  await project.assay("show", run);
  await writeFile(project.path(`${run}/outputs/more.txt`), "more");
  await project.assay("show", run);
  const { out } = await project.assay("clean", "--keep", "0");
  expect(out).toMatch(
    /imports\/\S+\/earlier\/iteration-1\.1 [\s\S]*imports\/\S+\/iteration-1 [\s\S]*removed 2 iterations/,
  );
  expect((await project.assay("show", run)).exitCode).toBe(0);
});

it("shows a time that nobody told as unknown, and the tokens that skill-creator told all together", async () => {
  const at = "greeter-workspace/iteration-1/eval-2-bob/with_skill/run-1";
  const timing = JSON.stringify({ total_tokens: 900 });
  await using project = await projectWith({ ...numberedWorkspace(), [`${at}/timing.json`]: timing });
  const { out } = await project.assay("show", at, "--all");
  expect(out).toContain("time unknown");
  expect(out).toContain("it used 900 tokens in all");
  expect(out).not.toContain("0.0 s");
});
