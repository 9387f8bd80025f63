import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { EvalEvent } from "../../src/domain/event.ts";
import { assay } from "../support/command-line.ts";
import { type Meeting, meetingOf } from "../support/meeting.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const EVALS = "evals/product-brief";
const IDS = ["A", "B", "C"].flatMap((row) => [1, 2, 3, 4, 5, 6].map((at) => `${row}${at}`)).slice(0, 17);
const SAME = new Set(["B1", "B2"]);
const LOOK =
  "env | sort; find . -type f -not -path './.git/*' | sort; cat _bmad/core/config.yaml seed.md 2>/dev/null";

/**
 * The shape of BMad's own suite: many cases, two with one prompt, a common overlay, one of a case, fixtures, queries. Agents
 * wait at the meeting first.
 */
function briefProject({ command: wait }: Pick<Meeting, "command"> = { command: "true" }): Promise<TempTree> {
  const cases = IDS.map((id, at) => ({
    id,
    prompt: SAME.has(id) ? "Run headless. Write the brief." : `Run headless. Write brief ${at}.`,
    files: id === "C1" ? [`${EVALS}/files/market.md`] : [],
    expectations: ["brief.md was written"],
  }));
  return tempTree({
    "_bmad/core/config.yaml": "name: core\n",
    "skills/product-brief/SKILL.md":
      "---\nname: product-brief\ndescription: Writes product briefs.\n---\n\nRead _bmad/core/config.yaml.\n",
    [`${EVALS}/evals.json`]: JSON.stringify({ skill_name: "product-brief", evals: cases }),
    [`${EVALS}/triggers.json`]: JSON.stringify([
      { query: "Write a brief", should_trigger: true },
      { query: "Write a brief", should_trigger: true },
    ]),
    [`${EVALS}/setup/seed.md`]: "seed of all\n",
    [`${EVALS}/B2/setup/seed.md`]: "seed of B2\n",
    [`${EVALS}/files/market.md`]: "market\n",
    "script.json": JSON.stringify({
      replies: [
        {
          when: { prompt: "headless" },
          steps: [{ bash: `${wait}; ${LOOK}` }, ...WRITES],
        },
        { steps: [{ skill: "product-brief" }, { text: "Done" }] },
      ],
    }),
  });
}

const WRITES = [{ write: { path: "brief.md", content: "x\n" } }, { text: "Done" }];

const RUN = [
  "run",
  "skills/product-brief",
  "--harness",
  "scripted",
  "--script",
  "script.json",
  "--concurrency",
  "8",
];

async function journal(project: TempTree, iteration: number): Promise<EvalEvent[]> {
  const path = project.path(`.assay/product-brief/iteration-${iteration}/journal.jsonl`);
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as EvalEvent);
}

async function tasks(project: TempTree, iteration: number): Promise<Record<string, string>> {
  const events = await journal(project, iteration);
  return Object.fromEntries(
    events.flatMap((event) =>
      event.kind === "trial-finished" && IDS.includes(event.trial.caseId)
        ? [[event.trial.caseId, event.run.outcome.status]]
        : [],
    ),
  );
}

const ALL = Object.fromEntries(IDS.map((id) => [id, "completed"]));

it(
  "a suite in BMad's shape runs whole, twice in a row, eight at once, and resumes",
  { timeout: 120_000 },
  async () => {
    await using eight = await meetingOf(8);
    await using project = await briefProject(eight);
    const tasksOnly = [...RUN, "--mode", "artifact", "--no-grade"];
    const first = await assay(tasksOnly, { cwd: project.root });
    expect(first.exitCode).toBe(0);
    expect(await tasks(project, 1)).toEqual(ALL);
    eight.again();
    const second = await assay(tasksOnly, { cwd: project.root });
    expect(second.exitCode).toBe(0);
    expect(await tasks(project, 2)).toEqual(ALL);
    const resumed = await assay([...tasksOnly, "--resume"], { cwd: project.root });
    expect(resumed.exitCode).toBe(0);
    const started = (await journal(project, 2)).filter((event) => event.kind === "trial-started");
    expect(started).toHaveLength(IDS.length);

    const seen = (id: string) =>
      readFile(
        project.path(`.assay/product-brief/iteration-1/eval-${id}/with_skill/run-1/transcript.md`),
        "utf8",
      );
    expect(await seen("C1")).toContain("market.md");
    expect(await seen("C2")).not.toContain("market.md");
    expect(await seen("B1")).toContain("seed of all");
    expect(await seen("B2")).toContain("seed of B2");
    expect(await seen("B1")).toContain("name: core");
    expect(await seen("B1")).not.toContain("evals.json");
  },
);

it("cases with one prompt run at the same time", { timeout: 120_000 }, async () => {
  await using both = await meetingOf(2);
  await using project = await briefProject(both);
  const twins = [...SAME].join(",");
  const { exitCode } = await assay([...RUN, "--no-grade", "--case", twins], { cwd: project.root });
  expect(exitCode).toBe(0);
  expect(await tasks(project, 1)).toEqual({ B1: "completed", B2: "completed" });
});

it("queries that are alike run at once too", { timeout: 120_000 }, async () => {
  await using project = await briefProject();
  await assay([...RUN, "--mode", "trigger", "--runs", "2"], { cwd: project.root });
  const events = await journal(project, 1);
  const finished = events.filter((event) => event.kind === "trial-finished");
  const queries = new Set(finished.map(({ trial }) => trial.caseId));
  expect(queries.size).toBeGreaterThanOrEqual(2);
  expect(finished.every(({ run }) => run.outcome.status === "completed")).toBe(true);
});

it("two YAML files with one prompt run at once", { timeout: 120_000 }, async () => {
  const yaml =
    "timestamp: 2025-01-01T00:00:00Z\nname: brief\nprompt: Run headless. Write the brief.\nexpected: a brief\n";
  await using project = await briefProject();
  await using skillet = await tempTree({ "evals/brief/one.yaml": yaml, "evals/brief/two.yaml": yaml });
  const args = ["run", skillet.path("evals/brief"), "--skill", "skills/product-brief/SKILL.md"];
  const ran = await assay([...args, ...RUN.slice(2), "--no-grade"], { cwd: project.root });
  expect(ran.err).not.toContain("EEXIST");
  expect(ran.exitCode).toBeLessThan(2);
  expect(ran.err).toContain("2 trials");
});

it("nothing in an agent's environment names its arm", { timeout: 120_000 }, async () => {
  await using project = await briefProject();
  await assay(["bench", ...RUN.slice(1), "--case", "B1,B2", "--runs", "1", "--no-grade"], {
    cwd: project.root,
  });
  const folder = project.path(".assay/product-brief/iteration-1/eval-B1");
  for (const arm of ["with_skill", "without_skill"]) {
    const transcript = await readFile(`${folder}/${arm}/run-1/transcript.md`, "utf8");
    const variables = transcript.split("\n").filter((line) => /^\s*[A-Z_]+=/u.test(line));
    expect(variables.join("\n")).toContain("ASSAY_TRIAL=");
    expect(variables.join("\n")).not.toMatch(/with(?:out)?_skill|old_skill|new_skill|inline/u);
  }
});
