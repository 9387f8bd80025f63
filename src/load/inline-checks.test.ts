import { describe, expect, it } from "vitest";
import { inlineChecks } from "./inline-checks.ts";

describe("checks that a program writes", () => {
  it("are those of the assay key, and criteria as plain text, with ids of their own", () => {
    const checks = inlineChecks(["It is polite", { type: "contains", needle: "Ada" }, "It is polite"], ["x"]);
    expect(checks).toMatchObject([
      { kind: "criterion", layer: "L3", text: "It is polite" },
      { kind: "contains", needle: "Ada", layer: "L1" },
      { kind: "criterion" },
    ]);
    expect(new Set(checks.map(({ id }) => id)).size).toBe(3);
  });

  it.each([
    [[{ type: "contians", needle: "x" }], "did you mean"],
    [[{ type: "contains" }], "needle"],
    [[3], "must be"],
    ["contains", "must be"],
    [[() => true], "must be"],
  ])("%j is refused with what is wrong", (checks, words) => {
    expect(() => inlineChecks(checks)).toThrow(
      expect.objectContaining({ code: "checks/invalid", message: expect.stringContaining(words) }),
    );
  });
});
