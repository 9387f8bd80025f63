import { describe, expect, it } from "vitest";
import { joined } from "./judge-parts.ts";
import type { Reviewed } from "./review.ts";

const quote = { kind: "quote", text: "12 €", source: { kind: "output", line: 1 } } as const;
const absence = { kind: "absence", searched: [{ kind: "output", line: null }] } as const;
const said = (status: "passed" | "failed", evidence: typeof quote | typeof absence): Reviewed => ({
  status,
  evidence: [evidence],
  reason: "",
  score: null,
});
const open: Reviewed = { status: "unsupported", problem: "nothing was said" };

describe("verdicts on parts of the evidence", () => {
  it.each<[string, readonly Reviewed[], string]>([
    ["a pass that was seen", [said("failed", absence), said("passed", quote)], "passed"],
    ["a failure that was seen", [said("passed", quote), said("failed", quote)], "failed"],
    [
      "a failure seen beside an absence that passes",
      [said("passed", absence), said("failed", quote)],
      "failed",
    ],
    ["an absence in every part", [said("failed", absence), said("failed", absence)], "failed"],
    ["an absence that passes in every part", [said("passed", absence), said("passed", absence)], "passed"],
    ["an absence in some parts only", [said("failed", absence), open], "unsupported"],
    ["absences that disagree", [said("failed", absence), said("passed", absence)], "unsupported"],
  ])("come to one by %s", (_, reviews, status) => {
    expect(joined(reviews, []).status).toBe(status);
  });

  it("prove no absence where something was never shown, and say what", () => {
    const all = [said("failed", absence), said("failed", absence)];
    expect(joined(all, ["event 7: assistant x1"])).toEqual({
      status: "unsupported",
      problem: "nothing was found, but not everything was read; not shown: event 7: assistant x1",
    });
  });
});
