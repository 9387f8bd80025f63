import { afterEach, expect, it } from "vitest";
import { rmSync } from "node:fs";
import { makeSubject, newFolder } from "../fixtures/make-subject.ts";
import { criteriaQuestion } from "../criteria/question.ts";
import { evidencePack } from "./pack.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

it.each([
  ["one file", { file: "out/report.md", patterns: [] }, "Price: 12", "file 1"],
  ["files by a pattern", { file: null, patterns: ["out/*.md"] }, "Price: 12", "file 1"],
  ["several files, joined", { file: null, patterns: ["out/*.md"] }, "Price: 12\nMore", "output"],
])("the judge is told that the graded output is %s", async (_, declared, output, label) => {
  const folder = newFolder();
  folders.push(folder);
  const subject = makeSubject(
    {
      output,
      files: { "out/report.md": "Price: 12", "notes.md": "Price: 99" },
      case: { output: { kind: "files", ...declared } },
    },
    folder,
  );
  const pack = await evidencePack(subject, { statements: [] });
  expect(pack.graded).toBe(label);
  const { question } = criteriaQuestion({
    checks: [],
    pack,
    expectedOutput: null,
    repetition: 1,
    problems: new Map(),
    ledAstray: false,
  });
  expect(JSON.stringify(question.parts)).toContain(`The graded output is ${label}`);
});

it("nothing is named where the agent's messages are graded", async () => {
  const folder = newFolder();
  folders.push(folder);
  const pack = await evidencePack(makeSubject({ output: "Hi" }, folder), { statements: [] });
  expect(pack.graded).toBeNull();
});
