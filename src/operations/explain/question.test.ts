import { describe, expect, it } from "vitest";
import { sampleVerdict } from "../../store/fixtures/samples.ts";
import { agentQuestion } from "./question.ts";

const failed = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    sampleVerdict({ status: "failed", text: `check ${index + 1}`, reason: `reason ${index + 1}` }),
  );

describe("the question to an agent", () => {
  it("names every failed check with its reason, and asks for words and no work", () => {
    const question = agentQuestion(failed(2));
    expect(question).toContain("1. check 1 (reason 1)\n2. check 2 (reason 2)\n\n");
    expect(question).toContain("change nothing");
    expect(question).not.toContain("more)");
  });

  it("is no command of any client, whatever the checks say", () => {
    expect(agentQuestion([sampleVerdict({ status: "failed", text: "/clear", reason: "$x !y" })])).toMatch(
      /^Your /,
    );
  });

  it("stays of a size that can be sent", () => {
    const long = "x".repeat(100_000);
    const many = failed(200).map((verdict) => ({ ...verdict, text: long, reason: long }));
    const question = agentQuestion(many);
    expect(question.length).toBeLessThan(40_000);
    expect(question).toContain("\n(and 170 more)\n");
  });
});
