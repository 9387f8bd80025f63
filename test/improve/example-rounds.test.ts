import { cp, readdir, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analysisReader } from "../../src/store/read/analysis.ts";
import { comparisonReader } from "../../src/store/read/comparison.ts";
import { historyReader } from "../../src/store/read/history.ts";
import { assay, type CommandOutcome } from "../support/command-line.ts";
import { expectGolden } from "../support/golden.ts";
import { exampleProject, type ImproveProject, roundArtifacts, type SimRule } from "../support/improve-kit.ts";
import { DECISION_ROUNDS, fixture } from "./example.ts";
import { differences, hasSeed, seedExample } from "./seed-shape.ts";

const { script, suite, skill, args } = DECISION_ROUNDS;
const COMPARED = ["v1-vs-v0", "v2-vs-v1", "v3-vs-v1"];
const WRITTEN = [
  "history.json",
  ...["v0", "v1", "v2", "v3"].flatMap((version) => [`${version}/META.yaml`, `${version}/skill/SKILL.md`]),
  ...COMPARED.flatMap((name) =>
    ["assignment", "comparison-1", "outcome", "analysis"].map((file) => `grading/${name}/${file}.json`),
  ),
];

describe("three rounds on an example", { timeout: 180_000 }, () => {
  let made: ImproveProject;
  let ended: CommandOutcome;

  beforeAll(async () => {
    made = await exampleProject("decision-record", script);
    ended = await made.assay(...args, "--apply");
  }, 180_000);

  afterAll(() => made[Symbol.asyncDispose]());

  it("are won, lost and tied, and the winner is adopted", async () => {
    const { exitCode, out, err } = ended;
    expect(err).toContain("v1: leads\n");
    expect(err).toContain("v2: behind\n");
    expect(err).toContain("v3: no better\n");
    expect(err).toContain("ended: all rounds are used");
    expect(err).toMatch(/^v1 \(best\) +v0 +confirmed, \+17 points in fresh runs$/m);
    expect(err).not.toContain("WARNING");
    expect(err).toMatch(
      /^agents: [\d,]+ tokens in, [\d,]+ out, \$[\d.]+; judges: [\d,]+ tokens in, [\d,]+ out, \$[\d.]+$/m,
    );
    expect(err).toContain(
      "fresh runs, v1 against v0: Better on these 3 cases: 67 % -> 83 % (+17 points, 95 % interval +12 to +21, p = 0.008).",
    );
    expect(err).toContain("confirmed: v1 is better than v0\n");
    expect(exitCode).toBe(0);
    expect(made.sim.unmatched).toEqual([]);
    await writeFile(made.path(".assay/decision-record/adopted.diff"), out);
    await expectGolden(fixture("golden", "rounds"), {
      root: made.path(".assay/decision-record"),
      files: [...WRITTEN, "adopted.diff"],
      project: made.root,
    });
    expect(await made.text(skill)).toBe(await made.text(".assay/decision-record/v1/skill/SKILL.md"));
    expect(made.git("status", "--porcelain").trim()).toBe(`M ${skill}`);
    made.git("apply", "--check", "-R", ".assay/decision-record/adopted.diff");
    for (const version of ["v0", "v1", "v2", "v3"]) {
      const files = await readdir(made.path(`.assay/decision-record/${version}/skill`), { recursive: true });
      expect(files.toSorted()).toEqual(["SKILL.md", "assets", "assets/template.md"]);
    }
  });

  it.skipIf(!hasSeed)("leave files of the seed's shapes", async () => {
    const at = (path: string) => made.path(`.assay/decision-record/${path}`);
    const json = async (path: string) =>
      JSON.parse(await made.text(`.assay/decision-record/${path}`)) as unknown;
    expect((await historyReader.read(at("history.json"))).diagnostics).toEqual([]);
    expect(differences(await json("history.json"), seedExample("history.json"))).toEqual([]);
    for (const name of COMPARED) {
      const [comparison, analysis] = [`grading/${name}/comparison-1.json`, `grading/${name}/analysis.json`];
      expect((await comparisonReader.read(at(comparison))).diagnostics).toEqual([]);
      expect((await analysisReader.read(at(analysis))).diagnostics).toEqual([]);
      expect(differences(await json(comparison), seedExample("comparison.json"))).toEqual([]);
      expect(differences(await json(analysis), seedExample("analysis.json"))).toEqual([]);
    }
  });

  it("tell each draft what the comparisons of its parent taught, and nothing of held-out cases", async () => {
    const drafts = made.sim.requests
      .filter(({ rule }) => rule?.startsWith("draft"))
      .map(({ body }) => JSON.stringify(body));
    const [first = "", second = "", third = ""] = drafts;
    expect(drafts).toHaveLength(3);
    expect(first).not.toContain("analyst");
    expect(second).toContain("Keep the JSON answer for a refusal.");
    expect(second).not.toContain("Add an example of a caching decision");
    expect(third).toContain("name the missing decision instead");
    expect(third).toContain("Keep the JSON answer for a refusal.");
    const analyses = made.sim.requests.filter(({ rule }) => rule?.startsWith("w") && rule.includes(" v"));
    for (const { body } of [
      ...analyses,
      ...made.sim.requests.filter(({ rule }) => rule?.startsWith("draft")),
    ])
      expect(JSON.stringify(body)).not.toContain("Redis streams for the job queue");
  });

  it("do not take what no judge could decide for a score, and ask it again on the next call", async () => {
    const silent: SimRule = {
      name: "silent",
      when: { system: "You grade", anywhere: "Record our decision about caching" },
      fault: { status: 400 },
      times: 1,
    };
    await using project = await exampleProject("decision-record", [silent]);
    const cut = await project.assay(...args);
    expect(cut.err).toContain("ended: 2 checks of v0 could not be decided (No new file was written");
    expect(cut.err).toContain("--allow-missing 2 continues without them");
    expect(cut.err).toMatch(/^agents: [\d,]+ tokens in, .*; judges: [\d,]+ tokens in, /m);
    expect(cut.exitCode).toBe(3);
    const asked = project.sim.requests.length;
    const again = await project.assay(...args, "--rounds", "1");
    expect(again.err).toContain("v0 (best)        the skill as it was");
    const toModels = project.sim.requests.slice(asked).filter(({ method }) => method === "POST");
    const rules = toModels.map(({ rule }) => rule);
    expect(rules[0]).toBe("the judge on A3");
    expect(rules).not.toContain("A1, a new record");
    expect(again.err).toMatch(/^agents: nothing new run; judges: [\d,]+ tokens in, /m);
  });

  it("keep to one budget over all calls, and go on once that is raised", async () => {
    await using project = await exampleProject("decision-record", script);
    const call = (tokens: number) => project.assay(...args, "--apply", "--max-tokens", String(tokens));
    const asked = () => project.sim.requests.filter(({ method }) => method === "POST").length;
    expect((await call(20_000)).exitCode).toBe(3);
    const before = asked();
    expect((await call(20_000)).exitCode).toBe(3);
    expect(asked()).toBe(before);
    const codes: number[] = [];
    for (let calls = 2; codes.at(-1) !== 0 && calls < 40; calls++)
      codes.push((await call(calls * 20_000)).exitCode);
    expect(new Set(codes)).toEqual(new Set([3, 0]));
    expect(codes.length).toBeGreaterThan(5);
    expect(await roundArtifacts(project, suite, skill)).toEqual(await roundArtifacts(made, suite, skill));
  });

  it("give the same elsewhere from a recording, without a model service", async () => {
    await using first = await exampleProject("decision-record", script);
    await using second = await exampleProject("decision-record", script);
    const tapes = ["--cassettes", "tapes"];
    const recorded = await first.assay(...args, ...tapes, "--record");
    expect(recorded.exitCode).toBe(0);
    await first.sim.close();
    await cp(first.path("tapes"), second.path("tapes"), { recursive: true });
    const replayed = await assay([...args, ...tapes, "--replay"], {
      cwd: second.root,
      env: { PATH: "/usr/bin:/bin" },
    });
    // What a run may cost is estimated from other runs.
    const lookAhead = /^(?:decision-record with builtin|judge: |estimate: ).*\n/gm;
    const said = (outcome: typeof recorded) => ({ ...outcome, err: outcome.err.replaceAll(lookAhead, "") });
    expect(said(replayed)).toEqual(said(recorded));
    expect(await roundArtifacts(second, suite, skill)).toEqual(await roundArtifacts(first, suite, skill));
    expect(second.sim.requests).toEqual([]);
  });
});
