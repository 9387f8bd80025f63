import { expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { greeterProject, RUN } from "../support/project.ts";
import { simProject } from "../support/sim-project.ts";

const EVALS = {
  skill_name: "greeter",
  evals: [{ id: 1, prompt: "Greet Ada", expectations: ["It never mentions elephants"] }],
};
/** No line shares a word with the criterion, so that no excerpt can be the relevant one. */
const LONG = Array.from({ length: 4000 }, (_, line) => `line ${line} of the log, with nothing to see`).join(
  "\n",
);

it.each([
  ["an absence holds once every part was read", LONG, 0, "read in"],
  ["what stands in any part is seen", `${LONG}\nI saw zebras\n${LONG}`, 1, "zebras"],
])("in evidence longer than the judge's context, %s", async (_, log, exitCode, words) => {
  const steps = [{ write: { path: "log.txt", content: log } }, { text: "Hello Ada" }];
  const tree = await greeterProject([{ steps }], {
    "skills/greeter/evals/evals.json": JSON.stringify(EVALS),
  });
  const judge = { system: "You grade one run" };
  const absent = [{ criterion: "elephants", passed: true, source: "part" }];
  const rules = [
    {
      name: "seen",
      when: { ...judge, anywhere: "I saw zebras" },
      reply: {
        verdicts: [{ criterion: "elephants", passed: false, quote: "I saw zebras", source: "log.txt" }],
      },
    },
    {
      name: "part",
      when: { ...judge, anywhere: "of the evidence; the others" },
      reply: { verdicts: absent },
    },
    { name: "whole", when: judge, reply: { verdicts: absent } },
  ];
  await using project = simProject(tree, await startSim(parseScript(JSON.stringify({ rules }))));
  const run = await project.assay(...RUN, "--judge-context", "40000");
  expect(run).toMatchObject({ exitCode });
  const asked = project.sim.requests.map(({ body }) => JSON.stringify(body ?? null));
  expect(asked.filter((body) => body.includes("This is part ")).length).toBeGreaterThan(2);
  const shown = await project.assay("show", "greeter/1", "--all");
  expect(shown.out).toContain(words);
});

it("a verdict on the most relevant of long evidence says what the judge did not see", async () => {
  const steps = [{ write: { path: "log.txt", content: LONG } }, { text: "Hello Ada" }];
  const tree = await greeterProject([{ steps }], {
    "skills/greeter/evals/evals.json": JSON.stringify({
      skill_name: "greeter",
      evals: [{ id: 1, prompt: "Greet Ada", expectations: ["It greets Ada"] }],
    }),
  });
  const verdicts = [{ criterion: "greets", passed: true, quote: "Hello Ada", source: "output" }];
  const rules = [{ when: { system: "You grade one run" }, reply: { verdicts } }];
  await using project = simProject(tree, await startSim(parseScript(JSON.stringify({ rules }))));
  expect(await project.assay(...RUN, "--judge-context", "40000")).toMatchObject({ exitCode: 0 });
  const unseen = /the judge did not see all of: .*log\.txt.* \(\d+ of \d+ characters shown\)/;
  expect((await project.assay("show", "greeter/1", "--all")).out).toMatch(unseen);
  const grading = ".assay/greeter/iteration-1/eval-1/with_skill/run-1/grading.json";
  expect(await project.json(grading)).toMatchObject({
    expectations: [{ passed: true, evidence: expect.stringMatching(unseen) as unknown }],
  });
});
