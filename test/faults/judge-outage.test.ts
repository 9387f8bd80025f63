import { cp, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import type { GradingFile } from "../../src/store/write/grading.ts";
import { fixture } from "../support/judged-project.ts";
import { simProject } from "../support/sim-project.ts";
import { tempTree } from "../support/temp-tree.ts";

const NAME = "skill-creator";
const RUN = ["run", "skills/unit-table", "--harness", "scripted", "--script", fixture(NAME, "agent.json")];
const ODD = ".assay/unit-table/iteration-1/eval-2-unknown-unit/with_skill/run-1/grading.json";

/** The judge fails once about the second run, then answers. */
async function withOutage(fault: string) {
  const tree = await tempTree();
  await cp(fixture(NAME, "project"), tree.root, { recursive: true });
  const judge = await readFile(fixture(NAME, "judge.yaml"), "utf8");
  const outage = `  - { name: outage, when: { anywhere: Convert odd.csv }, fault: ${fault}, times: 1 }\n`;
  const sim = await startSim(parseScript(judge.replace("rules:\n", `rules:\n${outage}`)));
  const asked = () =>
    sim.requests.flatMap(({ method, rule }) => (method === "POST" ? [rule ?? ""] : [])).toSorted();
  return { ...simProject(tree, sim), asked };
}

async function judged(project: Awaited<ReturnType<typeof withOutage>>): Promise<readonly string[]> {
  const { expectations } = await project.json<GradingFile>(ODD);
  return expectations.flatMap(({ layer, status }) => (layer === "L3" ? [status] : []));
}

it("a judge that fails while runs are graded leaves verdicts open, and resuming asks for those alone", async () => {
  await using project = await withOutage("{ status: 400 }");
  const first = await project.assay(...RUN);
  expect(first.exitCode).toBe(3);
  expect(first.out).toContain("unscored");
  expect(project.asked()).toEqual(["lengths", "outage"]);
  const second = await project.assay(...RUN, "--resume");
  expect(second.exitCode).toBe(1);
  expect(project.asked()).toEqual(["a unit that nobody knows", "lengths", "outage"]);
  expect(await judged(project)).toEqual(["passed", "failed"]);
});

it("a judge whose answer breaks off is asked again at once", async () => {
  await using project = await withOutage("{ cutAfter: 1 }");
  expect((await project.assay(...RUN)).exitCode).toBe(1);
  expect(project.asked()).toEqual(["a unit that nobody knows", "lengths", "outage"]);
  expect(await judged(project)).toEqual(["passed", "failed"]);
});
