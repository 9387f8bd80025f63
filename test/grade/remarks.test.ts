import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { simProject } from "../support/sim-project.ts";

const NOTES = "## Uncertainty\n- The name may be misspelt\n\n## Workarounds\n- Wrote by hand\n";
const EVALS = {
  skill_name: "greeter",
  evals: [{ id: 1, prompt: "Greet Ada", expectations: ["It says something"] }],
};
const WEAK = "any answer at all would pass";
const CLAIM = "all tests pass";

it("what judges and agents say beside the verdicts reaches people", async () => {
  const [first] = GOOD_REPLIES;
  const steps = [{ write: { path: "user_notes.md", content: NOTES } }, ...(first?.steps ?? [])];
  const tree = await greeterProject([{ steps }], {
    "skills/greeter/evals/evals.json": JSON.stringify(EVALS),
  });
  const reply = {
    verdicts: [{ criterion: "something", quote: "Hello Ada", source: "output" }],
    weak: [{ criterion: "something", reason: WEAK }, { reason: "nothing checks the name" }],
    claims: [
      { claim: CLAIM, evidence: "no test was run" },
      { claim: "it greets", verified: true },
    ],
  };
  const rules = [{ when: { system: "You grade one run" }, reply }];
  await using project = simProject(tree, await startSim(parseScript(JSON.stringify({ rules }))));
  const { exitCode, out } = await project.assay(...RUN, "--reporter", "terminal,junit=assay.xml");
  expect(exitCode).toBe(0);
  expect(out).toContain("greeter: passed, but a check proves little");
  const lines = [
    `weak check: 1 "It says something": ${WEAK}`,
    "no check covers: 1/with_skill/run-1: nothing checks the name",
    `false claim: 1/with_skill/run-1: ${CLAIM} (no test was run)`,
    "the agent was unsure: 1/with_skill/run-1: The name may be misspelt",
    "the agent worked around: 1/with_skill/run-1: Wrote by hand",
  ];
  for (const line of lines) expect(out).toContain(line);
  const { out: shown } = await project.assay("show", "greeter/1");
  for (const line of lines) expect(shown).toContain(line);
  const xml = await readFile(project.path("assay.xml"), "utf8");
  expect(xml).toContain('<property name="weak-check" value="weak check: 1 &quot;It says something&quot;');
  expect(xml).toContain('<property name="workaround"');
  const folder = ".assay/greeter/iteration-1";
  expect(await project.json(`${folder}/summary.json`)).toMatchObject({
    remarks: [{ kind: "weak-check", check: "It says something", text: WEAK }, {}, {}, {}, {}],
  });
  expect(await project.json(`${folder}/eval-1/with_skill/run-1/grading.json`)).toMatchObject({
    user_notes_summary: {
      uncertainties: expect.arrayContaining(["The name may be misspelt"]) as unknown,
      workarounds: ["Wrote by hand"],
    },
  });
  const audit = await project.assay("trend", "greeter", "--audit");
  expect(audit.exitCode).toBe(1);
  expect(audit.out).toContain(`weak in 1: ${WEAK}`);
});
