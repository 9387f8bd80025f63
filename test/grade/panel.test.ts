import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { type Sim, startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";

const EVALS = {
  "skills/greeter/evals/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: [{ id: 1, prompt: "Greet Ada", expectations: ["It names Ada"] }],
  }),
  "assay.config.json": JSON.stringify({ grading_model: "claude-one,gpt-two" }),
};

/** Each model has an opinion of its own. */
function opinions(byModel: Readonly<Record<string, boolean>>): ReturnType<typeof parseScript> {
  const rules = Object.entries(byModel).map(([model, passed]) => ({
    name: model,
    when: { system: "You grade one run", model },
    reply: { verdicts: [{ criterion: "names Ada", passed, quote: "Hello Ada", source: "output" }] },
  }));
  return parseScript(JSON.stringify({ rules }));
}

async function judged(sim: Sim, flags: readonly string[], env: Readonly<Record<string, string>> = {}) {
  await using project = await greeterProject(GOOD_REPLIES, EVALS);
  const both = {
    ANTHROPIC_BASE_URL: sim.url,
    ANTHROPIC_API_KEY: "not-a-real-key",
    OPENAI_BASE_URL: `${sim.url}/v1`,
    OPENAI_API_KEY: "not-a-real-key-either",
  };
  const outcome = await assay([...RUN, ...flags], {
    cwd: project.root,
    env: { PATH: "/usr/bin:/bin", ...both, ...env },
  });
  const iteration = ".assay/greeter/iteration-1";
  const read = (file: string) => readFile(project.path(`${iteration}/${file}`), "utf8").catch(() => "{}");
  return {
    ...outcome,
    manifest: JSON.parse(await read("run.json")) as { judge: object },
    grading: JSON.parse(await read("eval-1/with_skill/run-1/grading.json")) as {
      expectations?: readonly { passed: boolean }[];
    },
    asked: sim.requests.map(({ seen }) => seen?.model ?? ""),
  };
}

it("models of several services sit on one panel, and the majority decides", async () => {
  await using sim = await startSim(opinions({ "claude-one": true, "gpt-two": false, "claude-three": true }));
  const found = await judged(sim, ["--grading-model", "claude-one, gpt-two,claude-three"]);
  expect(found).toMatchObject({ exitCode: 0 });
  expect(found.asked.toSorted()).toEqual(["claude-one", "claude-three", "gpt-two"]);
  expect(found.grading.expectations).toMatchObject([{ passed: true }]);
  expect(found.manifest.judge).toEqual({
    provider: "anthropic, openai",
    model: "claude-one, gpt-two, claude-three",
  });
});

it.each<[string, Readonly<Record<string, string>>]>([
  ["a variable", { ASSAY_GRADING_MODEL: "claude-one,gpt-two" }],
  ["the config file", {}],
])("%s names the models of a panel as the flag does", async (_, env) => {
  await using sim = await startSim(opinions({ "claude-one": true, "gpt-two": true }));
  const found = await judged(sim, [], env);
  expect(found).toMatchObject({ exitCode: 0 });
  expect(found.asked.toSorted()).toEqual(["claude-one", "gpt-two"]);
});

it("a majority may be against, too, and --judges gives further seats to the same models in turn", async () => {
  await using sim = await startSim(opinions({ "claude-one": false, "gpt-two": true }));
  const found = await judged(sim, ["--grading-model", "claude-one,gpt-two", "--judges", "3"]);
  expect(found).toMatchObject({ exitCode: 1 });
  expect(found.asked.toSorted()).toEqual(["claude-one", "claude-one", "gpt-two"]);
});

it("a panel with an empty seat decides nothing, and that is told before anything runs", async () => {
  await using sim = await startSim(opinions({ "claude-one": true }));
  const noKey = { OPENAI_BASE_URL: "", OPENAI_API_KEY: "" };
  const found = await judged(sim, ["--grading-model", "claude-one,gpt-two"], noKey);
  expect(found).toMatchObject({ exitCode: 3 });
  expect(found.err).toContain("cannot be decided until then");
  expect(found.asked).toEqual([]);
});
