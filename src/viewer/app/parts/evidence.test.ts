import { expect, it } from "vitest";
import type { EvidenceSource } from "../../../domain/verdict.ts";
import { evidenceWords } from "./evidence.ts";

it("tells steps that follow each other as one place", () => {
  const step = (index: number): EvidenceSource => ({ kind: "event", index });
  const searched: readonly EvidenceSource[] = [
    { kind: "output", line: null },
    step(0),
    step(1),
    step(2),
    step(5),
    { kind: "file", path: "a.md", line: null },
    step(6),
  ];
  expect(evidenceWords({ kind: "absence", searched })).toBe(
    "Not found in the answer, steps 0 to 2, step 5, a.md, step 6",
  );
});
