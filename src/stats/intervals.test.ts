import { expect, it } from "vitest";
import { wilson } from "./intervals.ts";

it("holds the share itself, at both ends exactly", () => {
  for (let total = 1; total <= 60; total++) {
    expect(wilson(0, total)?.low).toBe(0);
    expect(wilson(total, total)?.high).toBe(1);
    for (let passed = 0; passed <= total; passed++) {
      const { low, high } = wilson(passed, total) ?? { low: 2, high: -1 };
      expect(low <= passed / total && passed / total <= high).toBe(true);
    }
  }
});
