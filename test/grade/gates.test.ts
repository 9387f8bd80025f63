import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { simProject } from "../support/sim-project.ts";
import { tempTree } from "../support/temp-tree.ts";

const BOTH_PASS = [
  { criterion: "says hello", passed: true, quote: "Hello Ada", source: "output", score: 0.6 },
  { criterion: "names Ada", passed: true, quote: "Hello Ada", source: "output", score: 0.6 },
];
const NONE_PASS = BOTH_PASS.map((verdict) => ({ ...verdict, passed: false, score: 0.1 }));

describe("grade_thresholds", () => {
  it("that set nothing ask for every criterion", async () => {
    await using project = await gated({ grade_thresholds: {} }, NONE_PASS);
    expect(await project.run()).toMatchObject({ exitCode: 1, out: expect.stringContaining("FAILED") });
  });

  it("that are misspelt are refused", async () => {
    await using project = await gated({ grade_thresholds: { min_passrate: 0.1 } }, NONE_PASS);
    const { exitCode, err } = await project.run();
    expect(exitCode).toBe(2);
    expect(err).toContain('did you mean "min_pass_rate"?');
  });

  it("that are missed say so with the bound and the value wherever a person looks", async () => {
    await using project = await gated({ grade_thresholds: { min_mean_score: 0.9 } }, BOTH_PASS);
    const { exitCode, out } = await project.run("--reporter", "terminal,junit=assay.xml");
    const missed = "grade_thresholds.min_mean_score: 0.6, at least 0.9 is required";
    expect(exitCode).toBe(1);
    expect(out).toContain(`gate missed: greet/with_skill/run-1: ${missed}`);
    const { out: shown } = await project.assay("show", "greet/greet");
    expect(shown).toContain(`missed ${missed}`);
    const folder = ".assay/greet/iteration-1";
    const bound = {
      name: "grade_thresholds.min_mean_score",
      bound: 0.9,
      value: expect.closeTo(0.6),
      met: false,
    };
    expect(await project.json(`${folder}/eval-greet/with_skill/run-1/grading.json`)).toMatchObject({
      gates: expect.arrayContaining([bound]) as unknown,
    });
    expect(await project.json(`${folder}/summary.json`)).toMatchObject({
      cases: [{ trials: [{ bounds: expect.arrayContaining([bound]) as unknown }] }],
      gates: [{ met: false, detail: expect.stringContaining(missed) }],
    });
    const xml = await readFile(project.path("assay.xml"), "utf8");
    expect(xml).toMatch(/<testsuites [^>]*failures="1"/);
    expect(xml).toContain('message="grade_thresholds.min_mean_score: 0.6, at least 0.9');
  });
});

it("a missed min_stability is told with its bound and its value", async () => {
  await using project = await gated({ variance: { n_runs: 2, min_stability: 0.8 } }, BOTH_PASS, [
    { name: "once", times: 1, per: "server", reply: "Hello Ada, error" },
    { name: "then", reply: "Hello Ada" },
  ]);
  const { exitCode, out } = await project.assay(
    "run",
    "greet",
    "--harness",
    "builtin",
    "--reporter",
    "terminal,junit=assay.xml",
  );
  const missed = "variance.min_stability: 0.5, at least 0.8 is required";
  expect(exitCode).toBe(1);
  expect(out).toContain(`gate missed: greet: ${missed}`);
  expect((await project.assay("show", "greet/greet/with_skill/run-1")).out).toContain(`missed ${missed}`);
  expect(await project.json(".assay/greet/iteration-1/summary.json")).toMatchObject({
    gates: [{ bounds: [{ name: "variance.min_stability", bound: 0.8, value: 0.5, met: false }] }],
  });
  expect(await readFile(project.path("assay.xml"), "utf8")).toContain(
    'gate variance.min_stability" classname="greet.greet.with_skill"><failure type="gate"',
  );
});

/** A clauditor spec with two criteria, an agent that greets, and a judge that answers as told. */
async function gated(fields: object, verdicts: readonly object[], agent: readonly object[] = []) {
  const tree = await tempTree({
    "assay.config.json": "{}",
    "greet/SKILL.md": "---\nname: greet\ndescription: Greets.\n---\n\nSay hello.\n",
    "greet/SKILL.eval.json": JSON.stringify({
      skill_name: "greet",
      test_args: "Ada",
      assertions: [{ id: "no_error", type: "not_contains", needle: "error" }],
      grading_criteria: [
        { id: "hello", criterion: "It says hello." },
        { id: "ada", criterion: "It names Ada." },
      ],
      ...fields,
    }),
    "script.json": JSON.stringify({
      replies: [{ steps: [{ text: "Hello Ada" }] }],
    }),
  });
  const rules = [{ when: { system: "You grade one run" }, reply: { verdicts } }, ...agent];
  const project = simProject(tree, await startSim(parseScript(JSON.stringify({ rules }))));
  return {
    ...project,
    run: (...args: readonly string[]) =>
      project.assay("run", "greet", "--harness", "scripted", "--script", "script.json", ...args),
  };
}
