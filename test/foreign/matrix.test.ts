import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { improveProject } from "../support/improve-kit.ts";
import { bmadTriggers, LAYOUTS } from "./layouts.ts";

const SKILL = "---\nname: greeter\ndescription: Greets people by name.\n---\n\n# Greeting\n\nSay hello.\n";

/** What a grading again looks for. */
const CHECK = { type: "file_matches", path: "greeting.txt", pattern: "Bob" };
const EVALS = ["2", "0", "greeter"].map((id) => ({ id, prompt: "Greet Bob", assay: { checks: [CHECK] } }));

const PROJECT = {
  "skills/greeter/SKILL.md": SKILL,
  "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals: EVALS }),
};

/** An edit must name the check that it is made for. */
const edits = (motive: string) => ({
  when: { system: "You improve the instructions", anywhere: motive },
  reply: {
    json: {
      summary: "Names are missing.",
      edits: [
        {
          anchor: "Say hello.",
          replacement: "Say hello with the name.",
          rationale: "named",
          motivated_by: [motive],
        },
      ],
    },
  },
});

const RULES = [
  ...["2/expectation-1", "0/expectation-1", "greeter/names-bob"].map(edits),
  {
    when: { anywhere: "only 'Hi'" },
    reply: {
      json: {
        evals: [{ prompt: "Greet Zoe", expected_output: "Zoe is named", expectations: ["It names Zoe"] }],
        triggers: [],
      },
    },
  },
];

const PROPOSE = ["propose", "skills/greeter", "--cases", "1", "--triggers", "0", "--output", "drafts"];

describe.each(Object.entries(LAYOUTS))("%s", (_name, make) => {
  it("can be shown, drawn, compared, learned from and graded again", async () => {
    const [bad, good] = [make("bad/greeter-workspace", false), make("good/greeter-workspace", true)];
    await using project = await improveProject({ ...PROJECT, ...bad.files, ...good.files }, RULES);

    const shown = await project.assay("show", bad.run, "--all");
    expect(shown).toMatchObject({ exitCode: 0, out: expect.stringMatching(/It names Bob[\s\S]*only 'Hi'/) });

    const drawn = await project.assay("trend", good.iteration);
    expect(drawn).toMatchObject({ exitCode: 0, out: expect.stringContaining("100 %") });

    const compared = await project.assay("compare", bad.iteration, good.iteration, "--flips");
    expect(compared.out).toMatch(/moved +\S+: It names Bob \(0 of \d -> \d of \d runs\)/);

    const suggested = await project.assay(
      "improve",
      "skills/greeter",
      "--suggest",
      "--iteration",
      bad.iteration,
    );
    expect(suggested.out).toContain("+Say hello with the name.");

    expect(await project.assay(...PROPOSE, "--from", bad.run)).toMatchObject({ exitCode: 0 });
    expect(await project.text("drafts/evals.json")).toContain("Greet Zoe");

    const again = await project.assay("grade", bad.iteration, "--skill", "skills/greeter");
    expect(again.exitCode).toBe(bad.hasFiles ? 1 : 3);
    const regraded = await project.assay("show", bad.run, "--all");
    expect(regraded.out).toMatch(bad.hasFiles ? /nothing in greeting.txt matches/ : /UNSCORED|unscored/);
  });
});

describe("a trigger measurement of BMad", () => {
  it("is read query by query, and what never ran is left out", async () => {
    await using project = await improveProject({ ...PROJECT, ...bmadTriggers("out") }, []);
    const at = "out/20260203-040506-greeter-triggers";
    const shown = await project.assay("show", at, "--all");
    expect(shown.exitCode).toBe(0);
    expect(shown.out).toContain("Say hello to Bob");
    expect(shown.err).toContain("query 5 is left out: it fired in 5 of 3 runs");
    const [folder] = await readdir(project.path(".assay/imports"));
    const { results } = await project.json<{ results: readonly unknown[] }>(
      `.assay/imports/${folder}/iteration-1/triggers.json`,
    );
    expect(results).toMatchObject([
      { query: "Greet Ada", should_trigger: true, triggers: 3, runs: 3 },
      { query: "Say hello to Bob", should_trigger: true, triggers: 0, runs: 3 },
      { query: "Sum these up", should_trigger: false, triggers: 1, runs: 3 },
      { query: "Nothing ran", status: "unscored" },
    ]);
    expect(await project.assay("trend", at)).toMatchObject({ exitCode: 0 });
    const graded = await project.assay("grade", at, "--as-run");
    expect(graded.exitCode).not.toBe(2);
  });

  it("that nobody made is refused with BMad's own reason", async () => {
    await using project = await improveProject(
      {
        ...PROJECT,
        "out/x-triggers/run.json": JSON.stringify({ run_id: "x" }),
        "out/x-triggers/triggers-result.json": JSON.stringify({
          status: "skipped",
          reason: "no runtime adapter configured",
          results: [],
        }),
      },
      [],
    );
    const { err, exitCode } = await project.assay("show", "out/x-triggers");
    expect(err).toContain("no runtime adapter configured");
    expect(exitCode).toBe(2);
  });
});
