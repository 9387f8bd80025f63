import { afterAll, beforeAll, expect, it } from "vitest";
import { ask as request } from "../../src/viewer/api.ts";
import type { IterationPage, OverviewPage } from "../../src/domain/pages.ts";
import type {
  FileDiffPage,
  FileTextPage,
  RunPage,
  TimelineIndex,
  TimelinePage,
} from "../../src/domain/run-pages.ts";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { visit } from "./kit.ts";

const BAD_REPLIES = [
  { when: { prompt: "Ada" }, steps: [{ skill: "greeter" }, { text: "Good day" }] },
  {
    when: { prompt: "Bob" },
    steps: [{ write: { path: "bob.txt", content: "Hello Bob\n" } }, { text: "Done" }],
  },
];

/** The second iteration has one regression. */
async function twoIterations() {
  const project = await greeterProject(GOOD_REPLIES, {
    "bad.json": JSON.stringify({ replies: BAD_REPLIES }),
  });
  await assay(RUN, { cwd: project.root });
  await assay([...RUN.slice(0, -1), "bad.json"], { cwd: project.root });
  return project;
}

let project: Awaited<ReturnType<typeof twoIterations>>;
beforeAll(async () => {
  project = await twoIterations();
});
afterAll(() => project[Symbol.asyncDispose]());

const FIRST = { skill: "greeter", n: 1 };
const SECOND = { skill: "greeter", n: 2 };

it("tells on the overview what each skill came to, newest first", async () => {
  await using visitor = await visit(project.root);
  const { results, skills, problems } = await visitor.page<OverviewPage>(request.overview());
  expect({ results, problems }).toEqual({ results: ".assay", problems: [] });
  expect(skills.map(({ skill, name, latest, improved }) => ({ skill, name, latest, improved }))).toEqual([
    { skill: "greeter", name: "greeter", latest: 2, improved: false },
  ]);
  expect(
    skills[0]?.iterations.map(({ n, verdict, progress, passRate }) => [n, verdict, progress, passRate]),
  ).toEqual([
    [2, "failed", "complete", { passed: 1, total: 2, interval: expect.anything() as unknown }],
    [1, "passed", "complete", { passed: 2, total: 2, interval: expect.anything() as unknown }],
  ]);
  expect(skills[0]?.iterations[0]?.headline).toMatch(/^failed: 1 of 2 checks \(\d+ % to \d+ %\)$/);
});

it("shows an iteration as a grid beside the one before it", async () => {
  await using visitor = await visit(project.root);
  const page = await visitor.page<IterationPage>(request.iteration(SECOND));
  expect(page.progress).toBe("complete");
  expect(page.words.headline).toMatch(/^FAILED: 1 of 2 cases; checks 1 of 2 /);
  expect(
    page.cases.map(({ caseId, prompt, arms }) => [
      caseId,
      prompt,
      arms.map(({ variant, runs }) => [
        variant,
        runs.map(({ trial, verdicts, loaded }) => [trial, verdicts, loaded]),
      ]),
    ]),
  ).toEqual([
    ["1", "Greet Ada", [["with_skill", [["1/with_skill/run-1", "f", true]]]]],
    ["2", "Greet Bob", [["with_skill", [["2/with_skill/run-1", "p", false]]]]],
  ]);
  expect(page.compared).toMatchObject({ n: 1, caveats: [], flips: [{ caseId: "1", change: "moved" }] });
  expect(page.others.map(({ n }) => n)).toEqual([1]);
  const first = await visitor.page<IterationPage>(request.iteration(FIRST, 2));
  expect(first.compared?.n).toBe(2);
});

it("shows a run with its checks, its timeline, its files and what it changed", async () => {
  await using visitor = await visit(project.root);
  const failing = { ...SECOND, trial: "1/with_skill/run-1" };
  const run = await visitor.page<RunPage>(request.run(failing));
  expect(run.prompt).toBe("Greet Ada");
  expect(run.answer).toEqual({ text: "Good day", cut: 0 });
  expect(run.grading?.verdicts.map(({ status }) => status)).toEqual(["failed"]);
  expect(run.rerun).toMatch(/^assay run \S*skills\/greeter --case 1 --harness scripted$/);
  expect(run.asPrompt).toContain("These checks did not pass:");
  expect(run.feedbackId).toBe("eval-1-with_skill-run-1");
  const index = await visitor.page<TimelineIndex>(request.timelineIndex(failing));
  expect(index.kinds).toMatch(/^u.*s.*a/);
  expect(index.events).toBe(index.kinds.length);
  const { events } = await visitor.page<TimelinePage>(request.timeline(failing, 0));
  expect(events).toHaveLength(index.events);
  const writing = { ...SECOND, trial: "2/with_skill/run-1" };
  const made = await visitor.page<RunPage>(request.run(writing));
  expect(
    made.files
      .filter(({ area }) => area === "outputs")
      .map(({ path, change, shows, kept }) => ({ path, change, shows, kept })),
  ).toEqual([{ path: "bob.txt", change: "created", shows: "text", kept: true }]);
  const file = { area: "outputs", path: "bob.txt" } as const;
  expect(await visitor.page<FileTextPage>(request.fileText(writing, file))).toEqual({
    ...file,
    text: "Hello Bob\n",
    problem: null,
  });
  const diff = await visitor.page<FileDiffPage>(request.fileDiff(writing, "bob.txt"));
  expect(diff.patch).toContain("+Hello Bob");
  const whole = await visitor.ask(`/api/${request.file(writing, file)}`);
  expect([
    whole.status,
    whole.text,
    whole.headers["content-type"],
    whole.headers["content-disposition"],
  ]).toEqual([200, "Hello Bob\n", "application/octet-stream", "attachment; filename*=UTF-8''bob.txt"]);
  const part = await visitor.ask(`/api/${request.file(writing, file)}`, { headers: { range: "bytes=6-8" } });
  expect([part.status, part.text, part.headers["content-range"]]).toEqual([206, "Bob", "bytes 6-8/10"]);
  const beyond = await visitor.ask(`/api/${request.file(writing, file)}`, {
    headers: { range: "bytes=99-" },
  });
  expect(beyond.status).toBe(416);
});

it.each([
  [
    "nothing is there",
    [],
    /there are no results in .*\.assay \[view\/no-results\]\n  hint: assay run makes the first/,
  ],
  [
    "the folder is none",
    ["nowhere"],
    /nowhere is not a folder \[view\/no-folder\]\n  hint: pass a folder with results/,
  ],
])("says what to do where %s", async (_, args, message) => {
  await using empty = await greeterProject(GOOD_REPLIES);
  const { exitCode, err } = await assay(["view", ...args], { cwd: empty.root });
  expect(exitCode).toBe(2);
  expect(err).toMatch(message);
});
