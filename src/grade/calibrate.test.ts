import { describe, expect, it } from "vitest";
import { UserError } from "../domain/user-error.ts";
import type { Verdict } from "../domain/verdict.ts";
import { calibrate, type JudgedVerdict, type Label, reviewLabels } from "./calibrate.ts";
import { readLabels } from "./label-file.ts";

/** 20 yes/yes, 5 only the judge, 10 only the person, 15 no/no: kappa 0.4 by hand. */
const TABLE = [
  ...people(20, true, "passed"),
  ...people(5, false, "passed"),
  ...people(10, true, "failed"),
  ...people(15, false, "failed"),
];

describe("calibrate", () => {
  it("gives accuracy, kappa and confusion of a table computed by hand", () => {
    const { accuracy, kappa, confusion, interval, compared } = calibrated(TABLE);
    expect(compared).toBe(50);
    expect(accuracy).toBe(0.7);
    expect(kappa).toBeCloseTo(0.4, 12);
    expect(confusion).toEqual({ bothPassed: 20, onlyJudgePassed: 5, onlyPersonPassed: 10, bothFailed: 15 });
    expect(interval?.low).toBeCloseTo(0.5625, 3);
    expect(interval?.high).toBeCloseTo(0.809, 3);
  });

  it("counts an output once in its intervals, however many labels it has", () => {
    const outputs = Array.from({ length: 8 }, (_, at) => `o${at}`);
    const ask = (criteria: number) => {
      const ids = Array.from({ length: criteria }, (_, at) => `c${at}`);
      const labels = outputs.flatMap((subject, at) =>
        ids.map((criterion): Label => ({ subject, criterion, passed: at % 2 === 0 })),
      );
      const said = outputs.flatMap((subject, at) =>
        ids.map((id) => verdict(subject, id, at % 2 === 0 || at === 1 ? "passed" : "failed")),
      );
      return calibrate(labels, said);
    };
    const [one, ten] = [ask(1), ask(10)];
    expect([ten.compared, ten.outputs]).toEqual([80, 8]);
    expect(ten.interval).toEqual(one.interval);
    expect(ten.kappa).toBeCloseTo(one.kappa ?? 0, 12);
    expect(ten.kappaInterval?.low).toBeLessThan(0.6);
    expect(ten.kappaInterval?.high).toBe(1);
  });

  it("tells criteria apart, found by id or by text", () => {
    const labels: Label[] = [
      { subject: "a", criterion: "near", passed: true },
      { subject: "a", criterion: "Is it cheap?", passed: false },
      { subject: "b", criterion: "near", passed: false },
    ];
    const { criteria, accuracy } = calibrate(labels, [
      verdict("a", "near", "passed"),
      verdict("a", "cheap", "passed", "Is it cheap? "),
      verdict("b", "near", "failed"),
    ]);
    expect(accuracy).toBeCloseTo(2 / 3, 12);
    expect(
      criteria.map(({ criterion, accuracy: own, confusion }) => [criterion, own, confusion.onlyJudgePassed]),
    ).toEqual([
      ["near", 1, 0],
      ["Is it cheap?", 0, 1],
    ]);
  });

  it("leaves out what has no verdict or no label, and counts it", () => {
    const labels: Label[] = [
      { subject: "a", criterion: "near", passed: true },
      { subject: "b", criterion: "near", passed: true },
      { subject: "c", criterion: "far", passed: true },
    ];
    const found = calibrate(labels, [
      verdict("a", "near", "passed"),
      verdict("b", "near", "unscored"),
      verdict("z", "near", "failed"),
    ]);
    expect(found).toMatchObject({
      labels: 3,
      compared: 1,
      unscored: 1,
      unmatched: 1,
      accuracy: 1,
      kappa: null,
    });
  });

  it("knows nothing from nothing", () => {
    expect(calibrate([], [])).toMatchObject({
      labels: 0,
      accuracy: null,
      interval: null,
      kappa: null,
      criteria: [],
    });
  });

  it("takes a run as passed when nothing in it failed", () => {
    const labels = reviewLabels(
      [
        { runId: "r1", feedback: "", checks: [] },
        { runId: "r2", feedback: "the axis is wrong", checks: [] },
        { runId: "r3", feedback: " ", checks: [] },
      ],
      "complete",
    );
    const found = calibrate(labels, [
      verdict("r1", "a", "passed"),
      verdict("r1", "b", "passed"),
      verdict("r2", "a", "passed"),
      verdict("r2", "b", "failed"),
      verdict("r3", "a", "passed"),
      verdict("r3", "b", "failed"),
    ]);
    expect(found.confusion).toEqual({
      bothPassed: 1,
      onlyJudgePassed: 0,
      onlyPersonPassed: 1,
      bothFailed: 1,
    });
  });

  it("takes silence in an unfinished review for nothing", () => {
    const reviews = [
      { runId: "r1", feedback: "", checks: [] },
      { runId: "r2", feedback: "bad", checks: [] },
    ];
    expect(reviewLabels(reviews, "in_progress").map(({ subject }) => subject)).toEqual(["r2"]);
    expect(reviewLabels(reviews, null).map(({ subject }) => subject)).toEqual(["r1", "r2"]);
  });

  it("takes agreement with single verdicts for labels of their checks, in place of one of the run", () => {
    const said = (checkId: string, agrees: boolean, verdict: "passed" | "failed" | "unscored") => ({
      checkId,
      agrees,
      verdict,
      comment: "",
    });
    const checks = [
      said("a", true, "passed"),
      said("b", false, "passed"),
      said("c", true, "failed"),
      said("d", false, "failed"),
      said("e", false, "unscored"),
    ];
    const labels = reviewLabels([{ runId: "r", feedback: "see there", checks }], "in_progress");
    expect(labels.map(({ criterion, passed }) => [criterion, passed])).toEqual([
      ["a", true],
      ["b", false],
      ["c", false],
      ["d", true],
    ]);
  });
});

describe("a file of labels", () => {
  it("names outputs, runs and texts", () => {
    const outputs = readLabels(
      "labels.yaml",
      "outputs:\n  - output: a.txt\n    labels: { near: true, cheap: false }\n  - run: eval-1/with_skill/run-1\n    labels: { near: false }\n  - text: |\n      hello\n    labels:\n      near: true\n",
    );
    expect(outputs.map(({ kind, value, labels }) => [kind, value, labels.length])).toEqual([
      ["file", "a.txt", 2],
      ["run", "eval-1/with_skill/run-1", 1],
      ["text", "hello\n", 1],
    ]);
    expect(outputs[0]?.labels[1]).toEqual({ subject: "a.txt", criterion: "cheap", passed: false });
  });

  it.each([
    ["outputs: []", "labels/empty-list", 1],
    ["outputs:\n  - labels: { a: true }", "labels/one-source", 2],
    ["outputs:\n  - output: a\n    run: b\n    labels: { a: true }", "labels/one-source", 2],
    ["outputs:\n  - output: a\n    labels: { a: yes it is }", "labels/wrong-type", 3],
    ["outputs:\n  - output: a\n    lables: {}", "labels/unknown-key", 3],
    ["outputs: [", "labels/syntax", 1],
    ["", "labels/empty", 1],
  ])("that says %j is refused in its place", (content, code, line) => {
    const refused = caught(() => readLabels("labels.yaml", content));
    expect(refused?.diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.at?.line])).toContainEqual([
      code,
      line,
    ]);
  });
});

function caught(action: () => unknown): UserError | null {
  try {
    action();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  return null;
}

function calibrated(table: readonly { label: boolean; status: Verdict["status"] }[]) {
  const labels = table.map(({ label }, index): Label => ({
    subject: String(index),
    criterion: "k",
    passed: label,
  }));
  return calibrate(
    labels,
    table.map(({ status }, index) => verdict(String(index), "k", status)),
  );
}

function people(count: number, label: boolean, status: Verdict["status"]) {
  return Array.from({ length: count }, () => ({ label, status }));
}

function verdict(subject: string, checkId: string, status: Verdict["status"], text = checkId): JudgedVerdict {
  return { subject, verdict: { checkId, text, status } };
}
