import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject, RUN } from "../support/project.ts";

/** One red dot. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const EVALS = {
  "skills/greeter/evals/evals.json": JSON.stringify({
    skill_name: "greeter",
    evals: [{ id: 1, prompt: "Greet Ada", expectations: ["The card shows one dot"] }],
  }),
};

const DRAWS = [{ steps: [{ bash: `echo ${PNG} | base64 -d > card.png` }, { text: "Here is the card." }] }];

/** A judge that rests its verdict on what it saw in the card. */
const JUDGE = parseScript(
  JSON.stringify({
    rules: [
      {
        name: "criteria",
        when: { system: "You grade one run" },
        reply: { verdicts: [{ criterion: "one dot", image: "a single dot", source: "card.png" }] },
      },
    ],
  }),
);

async function judged(env: (url: string) => Record<string, string>, flags: readonly string[]) {
  await using project = await greeterProject(DRAWS, EVALS);
  await using sim = await startSim(JUDGE);
  const { exitCode, err } = await assay([...RUN, ...flags], {
    cwd: project.root,
    env: { PATH: "/usr/bin:/bin", ...env(sim.url) },
  });
  const run = ".assay/greeter/iteration-1/eval-1/with_skill/run-1";
  const grading = await readFile(project.path(`${run}/grading.json`), "utf8").catch(() => null);
  return { exitCode, err, grading, asked: JSON.stringify(sim.requests.map(({ body }) => body)) };
}

it.each([
  [
    "anthropic",
    (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "not-a-real-key" }),
    `"media_type":"image/png","data":"${PNG}"`,
  ],
  [
    "openai",
    (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "not-a-real-key" }),
    `"image_url":"data:image/png;base64,${PNG}"`,
  ],
])("a judge of %s sees the images that the agent made", async (provider, env, shown) => {
  const { exitCode, err, grading, asked } = await judged(env, ["--grading-provider", provider]);
  expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
  expect(asked).toContain(shown);
  expect(grading).toContain("(image) a single dot");
});

it("a judge of whom nobody knows whether it can see is shown none, and its verdict does not count", async () => {
  const flags = ["--grading-provider", "openai-compatible", "--grading-model", "some-model"];
  const { exitCode, asked } = await judged((url) => ({ ASSAY_MODEL_URL: url }), flags);
  expect(exitCode).toBe(3);
  expect(asked).not.toContain("image_url");
  expect(asked).toContain("an image, not shown");
});
