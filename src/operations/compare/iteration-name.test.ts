import { describe, expect, it } from "vitest";
import { iterationName } from "./iteration-name.ts";

describe("a name of an iteration", () => {
  it.each([
    ["3", { suite: null, number: 3, variant: null }],
    ["iteration-12", { suite: null, number: 12, variant: null }],
    ["pdf@3", { suite: "pdf", number: 3, variant: null }],
    ["pdf@iteration-3", { suite: "pdf", number: 3, variant: null }],
    ["pdf/iteration-3", { suite: "pdf", number: 3, variant: null }],
    ["team@pdf@3", { suite: "team@pdf", number: 3, variant: null }],
    ["pdf@3:without_skill", { suite: "pdf", number: 3, variant: "without_skill" }],
    ["3:old_skill", { suite: null, number: 3, variant: "old_skill" }],
  ])("%s", (text, name) => {
    expect(iterationName(text)).toEqual(name);
  });

  it.each([
    ["main"],
    ["release/2"],
    ["v1.0"],
    ["pdf"],
    ["1.5"],
    ["-3"],
    ["iteration-"],
    ["1234567890"],
    ["3:"],
  ])("is not %s", (text) => {
    expect(iterationName(text)).toBeNull();
  });

  it("with a variant that there is not says which was meant", () => {
    expect(() => iterationName("3:with-skill")).toThrow(
      expect.objectContaining({ code: "compare/no-variant", hint: "did you mean with_skill?" }),
    );
    expect(() => iterationName("3:zzz")).toThrow(
      expect.objectContaining({
        hint: "there are with_skill, without_skill, old_skill, new_skill, inline",
      }),
    );
  });
});
