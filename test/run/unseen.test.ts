import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { assay } from "../support/command-line.ts";
import { greeterProject, journal, RUN } from "../support/project.ts";
import type { TempTree } from "../support/temp-tree.ts";

const LOOK = [{ steps: [{ bash: "find . -type f -not -path './.git/*' | sort" }, { text: "Hello Ada" }] }];
const ONE = ["--case", "1"];
const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nDo it.\n`;
const CASES = JSON.stringify({ skill_name: "other", evals: [{ id: 1, prompt: "x", expectations: ["y"] }] });

/** Evals of other skills in every place that one of the formats has for them, and files that only look alike. */
const OTHERS = {
  ".claude/skills/s2/SKILL.md": skill("s2"),
  ".claude/skills/s2/SKILL.eval.json": "{}",
  ".claude/skills/s2/evals/evals.json": CASES,
  ".claude/skills/s2/evals/files/answer.txt": "42",
  ".claude/commands/tidy.md": "Tidy up.",
  ".claude/commands/tidy.eval.json": "{}",
  "assets/tidy.eval.json": "{}",
  "tests/other.eval.json": "{}",
  "evals/tidy/one.yaml": "prompt: x\nexpected: y\n",
  "evals/bmm/s2/triggers.json": "[]",
  "evals/bmm/s2/A1/setup/seed.md": "seed",
  "evals/planner/evals.json": CASES,
  "evals/planner/setup/plan.md": "seed",
  "loose/evals.json": CASES,
  "loose/queries.json": JSON.stringify([{ query: "tidy", should_trigger: true }]),
  "evals/README.md": "What our evals are.",
  "src/cases.json": JSON.stringify({ upper: "A" }),
  "src/data.json": JSON.stringify({ iterations: [1, 2, 3] }),
  "src/report.xml": '<?xml version="1.0"?>\n<testsuites name="jest"></testsuites>\n',
};

async function seenBy(project: TempTree, iteration = 1): Promise<readonly string[]> {
  const folder = `.assay/greeter/iteration-${iteration}/eval-1/with_skill/run-1`;
  const transcript = await readFile(project.path(`${folder}/transcript.md`), "utf8");
  return [...transcript.matchAll(/\.\/(\S+)/gu)]
    .map(([, file]) => file ?? "")
    .filter((file) => !file.startsWith(".git/"));
}

it("no agent sees evals of any skill, and all else of the project stays", async () => {
  await using project = await greeterProject(LOOK, OTHERS);
  await assay([...RUN, ...ONE], { cwd: project.root });
  expect((await seenBy(project)).toSorted()).toEqual(
    [
      ".claude/commands/tidy.md",
      ".claude/skills/greeter/SKILL.md",
      ".claude/skills/s2/SKILL.md",
      "assay.config.json",
      "evals/README.md",
      "script.json",
      "src/cases.json",
      "src/data.json",
      "src/report.xml",
    ].toSorted(),
  );
});

it("no agent sees an earlier report, and a report does not make finished trials run again", async () => {
  await using project = await greeterProject(LOOK);
  const reports = ["--reporter", "junit=assay.xml", "--reporter", "json=out/summary.json"];
  await assay([...RUN, ...ONE, ...reports], { cwd: project.root });
  expect(await readFile(project.path("assay.xml"), "utf8")).toContain("testsuite");
  await assay([...RUN, ...ONE, ...reports, "--resume"], { cwd: project.root });
  const started = (await journal(project.root)).filter((event) => event.kind === "trial-started");
  expect(started).toHaveLength(1);
  await assay([...RUN, ...ONE], { cwd: project.root });
  expect(await seenBy(project, 2)).not.toContain("assay.xml");
  expect(await seenBy(project, 2)).not.toContain("out/summary.json");
});

it("evals of another skill can change without making finished trials run again", async () => {
  await using project = await greeterProject(LOOK, OTHERS);
  await assay([...RUN, ...ONE], { cwd: project.root });
  await writeFile(project.path(".claude/skills/s2/SKILL.eval.json"), '{"changed": true}');
  await assay([...RUN, ...ONE, "--resume"], { cwd: project.root });
  expect((await journal(project.root)).filter((event) => event.kind === "trial-started")).toHaveLength(1);
});
