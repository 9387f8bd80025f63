import { appendFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ComparePage, SearchPage, TimelineIndex, TimelinePage } from "../../src/domain/run-pages.ts";
import type { TranscriptEvent } from "../../src/domain/transcript.ts";
import { ask as request } from "../../src/viewer/api.ts";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { said } from "../support/said.ts";
import { visit, type Visitor } from "./kit.ts";

const AT = { skill: "greeter", n: 1 };
const ADA = { ...AT, trial: "1/with_skill/run-1" };
const BOB = { ...AT, trial: "2/with_skill/run-1" };

const called = (index: number, command: string, callId = `toolu_0${index}abcdefgh`): TranscriptEvent => ({
  index,
  turn: 1,
  agent: null,
  kind: "tool-call",
  callId,
  tool: "Bash",
  input: { command },
});

let project: Awaited<ReturnType<typeof greeterProject>>;
let visitor: Visitor;
beforeAll(async () => {
  project = await greeterProject(GOOD_REPLIES);
  await assay(RUN, { cwd: project.root });
  visitor = await visit(project.root);
});
afterAll(async () => {
  await visitor[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

const transcriptOf = (caseId: string) =>
  project.path(`.assay/greeter/iteration-1/eval-${caseId}/with_skill/run-1/transcript.jsonl`);

/** Puts a transcript in the place of a run's own. */
async function tell(caseId: string, events: readonly TranscriptEvent[]): Promise<void> {
  await writeFile(transcriptOf(caseId), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
}

async function searched(query: string, trial: string | null = null): Promise<SearchPage> {
  const at = { ...AT, trial };
  let page = await visitor.page<SearchPage>(request.search(at, query));
  const hits = [...page.hits];
  while (page.next !== null) {
    page = await visitor.page<SearchPage>(request.search(at, query, page.next));
    hits.push(...page.hits);
  }
  return { ...page, hits };
}

it("finds a text in every transcript, whatever its case, and not in the names of fields", async () => {
  await tell("1", [said(0, 'The "Quick" fox\njumps über'), called(1, "grep QUICK file")]);
  await tell("2", [said(0, "nothing here"), said(1, "quick again, quick")]);
  const found = await searched("quick");
  expect(found).toMatchObject({ count: 3, runs: 2, done: true });
  expect(found.hits.map(({ trial, event, kind }) => [trial, event, kind])).toEqual([
    [ADA.trial, 0, "message"],
    [ADA.trial, 1, "tool-call"],
    [BOB.trial, 1, "message"],
  ]);
  for (const { excerpt, start, length } of found.hits)
    expect(excerpt.slice(start, start + length).toLowerCase()).toBe("quick");
  expect((await searched("quick", BOB.trial)).count).toBe(1);
  expect((await searched('"quick" fox\njumps')).count).toBe(1);
  expect((await searched("ÜBER")).count).toBe(1);
  expect((await searched("assistant")).count).toBe(0);
});

it("pages through a long transcript, also after it has changed", async () => {
  const many = Array.from({ length: 4321 }, (_, at) =>
    said(at, `line ${at} ${"x".repeat(at === 700 ? 9000 : 50)}`),
  );
  await tell("1", many);
  const index = await visitor.page<TimelineIndex>(request.timelineIndex(ADA));
  expect([index.events, [...new Set(index.kinds)]]).toEqual([4321, ["a"]]);
  const middle = await visitor.page<TimelinePage>(request.timeline(ADA, Math.floor(700 / index.pageSize)));
  const cut = middle.events[700 % index.pageSize];
  expect(cut?.event).toMatchObject({ index: 700 });
  expect(cut?.cut).toBeGreaterThan(4000);
  expect(await visitor.page(request.event(ADA, 700))).toEqual(many[700]);
  await appendFile(transcriptOf("1"), `not JSON\n${JSON.stringify(said(4322, "more"))}\nunfinished`);
  const after = await visitor.page<TimelineIndex>(request.timelineIndex(ADA));
  expect(after.kinds.slice(4320)).toBe("a?a");
  expect(after.problems).toHaveLength(1);
  const last = Math.floor(4322 / index.pageSize);
  const end = await visitor.page<TimelinePage>(request.timeline(ADA, last));
  expect(end.events.at(-1)?.event).toMatchObject({ text: "more" });
  await expect(visitor.page(request.timeline(ADA, last + 1))).rejects.toThrow("404");
});

it("aligns two runs and names the first step at which they part", async () => {
  const look = said(0, "I look at it");
  await tell("1", [
    look,
    called(1, "cat orders.csv"),
    called(2, "python3 report.py"),
    said(3, "Done at 2026-01-15T10:30:00Z"),
  ]);
  await tell("2", [
    look,
    called(1, "cat orders.csv", "toolu_99zyxwvuts"),
    said(2, "I count by eye"),
    said(3, "twice"),
    said(4, "Done at 2026-03-01T08:00:00Z"),
  ]);
  const page = await visitor.page<ComparePage>(request.compare(ADA, BOB));
  expect(page.divergence).toEqual({
    a: 2,
    b: 2,
    words: "step 3: Bash python3 report.py ↔ assistant: I count by eye",
  });
  expect(page.spans).toEqual([
    { kind: "equal", a: [0, 2], b: [0, 2] },
    { kind: "changed", a: [2, 3], b: [2, 4] },
    { kind: "equal", a: [3, 4], b: [4, 5] },
  ]);
  expect([page.equal, page.suppressed]).toEqual([3, 2]);
  const same = await visitor.page<ComparePage>(request.compare(ADA, ADA));
  expect([same.divergence, same.suppressed]).toEqual([null, 0]);
  expect(same.spans).toEqual([{ kind: "equal", a: [0, 4], b: [0, 4] }]);
});
