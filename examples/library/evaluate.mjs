// Loads, runs and benches a skill through Assay's API, and prints the verdicts. Offline: a scripted model answers.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bench, evaluate, list, sim, thisMachine } from "assay";

const note = (one) => typeof one === "string" && console.error(one);
const here = { ...thisMachine({ note }), cwd: fileURLToPath(new URL("..", import.meta.url)) };
const model = await sim({ script: "demo/csv-report.model.yaml" }, { machine: here });
// With a real service: drop this line, and pass `here` as the machine.
const env = { PATH: here.env.PATH, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "any-key-will-do" };
const door = { machine: { ...here, env } };
const place = { targets: ["csv-report"], workspace: mkdtempSync(join(tmpdir(), "evaluate-")) };
const options = { ...place, mode: "artifact", harnesses: ["builtin"], transport: "api" };

try {
  const { suites } = await list({ ...place, mode: "artifact" }, door);
  for (const { name, cases } of suites) console.log(`${name}: ${cases.length} cases`);
  const evaluation = await evaluate(options, door);
  for (const { summary } of evaluation.reports) console.log(`${summary.suite}: ${summary.verdict}`);
  const benchmarks = await bench({ ...options, runs: 3 }, door);
  for (const { suite, lift, verdict } of benchmarks.matrix)
    console.log(`${suite}: ${verdict}, lift ${Math.round(100 * lift)} points with the skill`);
  const good = evaluation.reports.every(({ summary }) => summary.verdict === "passed");
  process.exitCode = good ? 0 : 1;
} finally {
  await model.close();
}
