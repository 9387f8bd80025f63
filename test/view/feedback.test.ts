import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { FeedbackEdit, FeedbackPage } from "../../src/domain/run-pages.ts";
import { ask as request } from "../../src/viewer/api.ts";
import { editFeedback } from "../../src/store/write/feedback.ts";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { tempTree } from "../support/temp-tree.ts";
import { visit } from "./kit.ts";

const AT = { skill: "greeter", n: 1 };
const [ADA, BOB] = ["eval-1-with_skill-run-1", "eval-2-with_skill-run-1"] as const;
const FILE = ".assay/greeter/iteration-1/feedback.json";

interface FeedbackFile {
  readonly status: string;
  readonly reviews: readonly {
    readonly run_id: string;
    readonly feedback: string;
    readonly checks?: unknown;
  }[];
}

async function reviewed() {
  const project = await greeterProject(GOOD_REPLIES);
  await assay(RUN, { cwd: project.root });
  const json = async () => JSON.parse(await readFile(project.path(FILE), "utf8")) as FeedbackFile;
  return { project, json };
}

const text = (runId: string, words: string, was = ""): FeedbackEdit => ({
  kind: "text",
  runId,
  text: words,
  was,
});

it("saves what a person writes as skill-creator does, and a complete review stays complete", async () => {
  const { project, json } = await reviewed();
  await using _ = project;
  await using visitor = await visit(project.root);
  const empty = await visitor.page<FeedbackPage>(request.feedback(AT));
  expect(empty).toEqual({ at: AT, status: "in_progress", reviews: [], previous: [] });
  const saved = await visitor.post<FeedbackPage>(request.feedback(AT), text(ADA, "too short"));
  expect(saved.reviews).toMatchObject([{ runId: ADA, feedback: "too short", checks: [] }]);
  await visitor.post(request.feedback(AT), { kind: "status", status: "complete" });
  expect(await json()).toMatchObject({
    status: "complete",
    reviews: [
      { run_id: ADA, feedback: "too short", timestamp: expect.any(String) as unknown },
      { run_id: BOB, feedback: "", timestamp: expect.any(String) as unknown },
    ],
  });
  await visitor.post(request.feedback(AT), text(BOB, "fine"));
  expect(await json()).toMatchObject({
    status: "complete",
    reviews: [{}, { run_id: BOB, feedback: "fine" }],
  });
  const refused: readonly [unknown, number][] = [
    [text("eval-9", "x"), 404],
    [{ kind: "text", runId: ADA }, 400],
    [{ kind: "status", status: "done" }, 400],
    [null, 400],
  ];
  const before = await json();
  for (const [edit, status] of refused)
    await expect(visitor.post(request.feedback(AT), edit)).rejects.toThrow(String(status));
  expect(await json()).toEqual(before);
});

it("loses nothing when two tabs write at once, nor what others put into the file", async () => {
  const { project, json } = await reviewed();
  await using _ = project;
  await writeFile(
    project.path(FILE),
    JSON.stringify({ reviews: [{ run_id: ADA, feedback: "old", mood: "good" }], by: "somebody" }),
  );
  await using visitor = await visit(project.root);
  const send = (edit: FeedbackEdit) => visitor.post<FeedbackPage>(request.feedback(AT), edit);
  await Promise.all([
    send(text(ADA, "from the first tab", "old")),
    send(text(ADA, "from the second tab", "old")),
    send(text(BOB, "another run")),
    send({ kind: "check", runId: BOB, checkId: "c", agrees: false, verdict: "passed", comment: "no" }),
    send({ kind: "check", runId: BOB, checkId: "d", agrees: true, verdict: "passed", comment: "" }),
  ]);
  const file = await json();
  expect(file).toMatchObject({ by: "somebody", reviews: [{ mood: "good" }, {}] });
  const words = file.reviews.find(({ run_id }) => run_id === ADA)?.feedback ?? "";
  expect(words).toContain("from the first tab");
  expect(words).toContain("from the second tab");
  const bob = file.reviews.find(({ run_id }) => run_id === BOB);
  expect(bob).toMatchObject({ feedback: "another run" });
  expect(bob?.checks).toHaveLength(2);
});

it("leaves a file alone that is no feedback", async () => {
  await using tree = await tempTree({ "feedback.json": "{ half" });
  const path = tree.path("feedback.json");
  const editing = editFeedback(path, text(ADA, "x"), { at: "now", runIds: [] });
  await expect(editing).rejects.toThrow(/not a valid feedback\.json/);
  expect(await readFile(path, "utf8")).toBe("{ half");
});

it.each([
  ["own words go on", "bar\n\nfoo", text(ADA, "foo and more", "foo"), "bar\n\nfoo and more"],
  ["what was seen is replaced", "seen", text(ADA, "new", "seen"), "new"],
  ["what was seen can be taken back", "seen", text(ADA, "", "seen"), ""],
  ["an empty text takes back nothing that was not seen", "theirs", text(ADA, "", "mine"), "theirs"],
])("merges texts so that %s", async (_, there, edit, expected) => {
  const file = { reviews: [{ run_id: ADA, feedback: there, timestamp: "t" }], status: "in_progress" };
  await using tree = await tempTree({ "feedback.json": JSON.stringify(file) });
  await editFeedback(tree.path("feedback.json"), edit, { at: "now", runIds: [] });
  const after = JSON.parse(await readFile(tree.path("feedback.json"), "utf8")) as FeedbackFile;
  expect(after.reviews[0]?.feedback).toBe(expected);
});
