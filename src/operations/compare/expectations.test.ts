import { describe, expect, it } from "vitest";
import type { Verdict } from "../../domain/verdict.ts";
import { sharedExpectations } from "./expectations.ts";

type Status = "passed" | "failed" | "unscored";

function verdicts(...said: readonly (readonly [checkId: string, status: Status])[]): readonly Verdict[] {
  return said.map(([checkId, status]) => ({ checkId, text: `about ${checkId}`, status }) as Verdict);
}

const passed = (id: string) => ({ text: `about ${id}`, passed: true });
const failed = (id: string) => ({ text: `about ${id}`, passed: false });

describe("what two versions are held to", () => {
  it("is only what was scored on both sides", () => {
    const first = verdicts(["a", "passed"], ["b", "failed"], ["c", "passed"]);
    const second = verdicts(["b", "passed"], ["c", "unscored"], ["d", "passed"]);
    expect(sharedExpectations(first, second)).toEqual({ first: [failed("b")], second: [passed("b")] });
  });

  it.each<[string, Status, Status, boolean]>([
    ["passes where all entries do", "passed", "passed", true],
    ["fails where the first entry does", "failed", "passed", false],
    ["fails where the last entry does", "passed", "failed", false],
  ])("a check on several entries %s", (_, one, other, expected) => {
    const several = verdicts(["a", one], ["a", other]);
    const { first, second } = sharedExpectations(several, verdicts(["a", "passed"]));
    expect(first).toEqual([{ text: "about a", passed: expected }]);
    expect(second).toEqual([passed("a")]);
  });

  it.each<[Status, Status]>([
    ["unscored", "passed"],
    ["passed", "unscored"],
    ["failed", "unscored"],
  ])("leaves a check out of which one entry could not be scored: %s, %s", (one, other) => {
    const { first, second } = sharedExpectations(
      verdicts(["a", one], ["a", other]),
      verdicts(["a", "passed"]),
    );
    expect([first, second]).toEqual([[], []]);
  });
});
