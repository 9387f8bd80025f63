import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { aQuery, probed, type Seen } from "../../test/support/triggers.ts";
import { agreementOf } from "./agreement.ts";
import { summarizeTriggers } from "./summarize.ts";

const API = { outcome: leftOut("api", "") } as const;

function summary(answers: Readonly<Record<string, Seen>>, threshold = 0.5) {
  const asked = Object.entries(answers).map(([id, seen]) => ({ one: aQuery(id, true), runs: [seen] }));
  const found = summarizeTriggers(probed(asked), { threshold, firstRuns: 3, adaptiveRuns: null });
  if (found === null) throw new Error("nothing was asked");
  return { ...found, harness: "classifier", iteration: 2 };
}

describe("agreementOf", () => {
  it("compares verdicts query by query", () => {
    const here = summary({ a: "fire", b: "-", c: "fire", d: "-" });
    const there = summary({ a: "fire", b: "-", c: "-", d: "fire" });
    expect(agreementOf(here, there)).toMatchObject({
      harness: "classifier",
      iteration: 2,
      agreement: { passed: 2, total: 4, rate: 0.5 },
      bothFire: 1,
      neitherFires: 1,
      onlyHere: ["query c"],
      onlyThere: ["query d"],
    });
  });

  it("leaves out what either could not score, and what only one was asked", () => {
    const found = agreementOf(
      summary({ a: "fire", b: API, c: "-" }),
      summary({ a: "fire", b: "fire", z: "-" }),
    );
    expect(found?.agreement).toMatchObject({ passed: 1, total: 1 });
  });

  it("is null without anything in common", () => {
    expect(agreementOf(summary({ a: "fire" }), summary({ b: "fire" }))).toBeNull();
    expect(agreementOf(summary({ a: API }), summary({ a: "fire" }))).toBeNull();
  });
});
