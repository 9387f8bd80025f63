import { readFile } from "node:fs/promises";
import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { Check } from "../domain/check.ts";
import type { ClaimOf } from "../domain/checks/index.ts";
import type { CheckOf } from "./code-grader.ts";
import { failed, measure, passed, toVerdict } from "./decision.ts";
import { makeCheck, makeSubject, newFolder } from "./fixtures/make-subject.ts";
import { gradeRun } from "./grade.ts";
import type { Grader } from "./grader.ts";
import { codeGraders } from "./graders/index.ts";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** What somebody would write: refuses outputs with one of the words that `with` names. */
const plainWords: Grader<CheckOf<"custom">> = {
  name: "plain-words",
  needs: "code",
  decides: (check): check is CheckOf<"custom"> => check.kind === "custom" && check.grader === "plain-words",
  async grade(checks, subject) {
    const text = subject.output.status === "present" ? await readFile(subject.output.path, "utf8") : "";
    const decide = (check: CheckOf<"custom">) => {
      const { avoid } = check.with as { readonly avoid: readonly string[] };
      const found = avoid.filter((word) => text.includes(word));
      return found.length === 0
        ? passed("plain", [measure("none of the words is used")])
        : failed("not plain", [measure(found.join(", "))]);
    };
    return { verdicts: checks.map((check) => toVerdict(check, subject, decide(check))) };
  },
};

const style: ClaimOf<"custom"> = { kind: "custom", grader: "plain-words", with: { avoid: ["utilize"] } };
const other: ClaimOf<"custom"> = { kind: "custom", grader: "spelling", with: null };

async function verdicts(claims: readonly ClaimOf<"custom">[], graders: readonly Grader[]) {
  const checks = claims.map((claim, index): Check => makeCheck(claim, `c${index}`));
  const subject = makeSubject({ checks, output: "We utilize words." }, folder);
  const parts = { graders: [...graders, ...codeGraders({ network: "off" })], now: () => new Date(0) };
  return (await gradeRun(subject, parts, new AbortController().signal)).verdicts;
}

describe("a custom check", () => {
  it("is unscored without its grader, and says what to do", async () => {
    expect(await verdicts([other], [])).toMatchObject([
      {
        status: "unscored",
        reason: 'no grader "spelling" is loaded; add it to a config passed with --config',
      },
    ]);
  });

  it("is decided by the grader of that name, and by no other", async () => {
    expect(await verdicts([style, other], [plainWords])).toMatchObject([
      { status: "failed", evidence: [{ kind: "measure", text: "utilize" }] },
      { status: "unscored", reason: expect.stringContaining('no grader "spelling"') },
    ]);
  });
});
