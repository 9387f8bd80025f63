import { expect, it } from "vitest";
import type { TriggerClaim } from "../../domain/check.ts";
import type { Activation } from "../../domain/run.ts";
import { verdictOn } from "../fixtures/decide.ts";

const fires = (change: Partial<TriggerClaim> = {}): TriggerClaim => ({
  kind: "fires",
  expected: true,
  skill: null,
  forbidden: [],
  ...change,
});
const not = (change: Partial<TriggerClaim> = {}) => fires({ expected: false, ...change });

it.each<[TriggerClaim, readonly string[], string, string]>([
  [fires(), ["greet"], "passed", "greet fired"],
  [fires(), ["my-plugin:greet"], "passed", "greet fired"],
  [fires(), [], "failed", "greet did not fire"],
  [fires(), ["regreet", "greet-all"], "failed", "greet did not fire; loaded: regreet, greet-all"],
  [fires(), ["pdf", "greet"], "passed", "greet fired"],
  [fires({ skill: "pdf" }), ["pdf"], "passed", "pdf fired"],
  [fires({ skill: "pdf" }), ["greet"], "failed", "pdf did not fire; loaded: greet"],
  [fires({ forbidden: ["pdf"] }), ["greet", "office:pdf"], "failed", "office:pdf fired and must stay silent"],
  [fires({ forbidden: ["pdf"] }), ["greet"], "passed", "greet fired"],
  [not(), [], "passed", "greet did not fire"],
  [not(), ["pdf"], "passed", "greet did not fire; loaded: pdf"],
  [not(), ["greet"], "failed", "greet fired"],
  [not(), ["my-plugin:greet"], "failed", "greet fired"],
  [not({ skill: "pdf" }), ["pdf"], "passed", "pdf fired instead of greet"],
  [not({ skill: "pdf" }), [], "failed", "greet did not fire, but neither did pdf, which should"],
  [not({ skill: "pdf" }), ["pdf", "greet"], "failed", "greet fired"],
  [not({ forbidden: ["pdf"] }), ["pdf"], "failed", "pdf fired and must stay silent"],
])("%j with %j taken up is %s", async (claim, names, status, reason) => {
  const activations = names.map((skill, index): Activation => ({ skill, by: "tool", event: index + 3 }));
  const verdict = await verdictOn(claim, { run: { activations } });
  expect(verdict).toMatchObject({ status, reason, layer: "trigger" });
  expect(verdict.evidence).not.toEqual([]);
});

it("points at the event that shows the skill", async () => {
  const activations: Activation[] = [{ skill: "greet", by: "read", event: 7 }];
  expect((await verdictOn(fires(), { run: { activations } })).evidence).toEqual([
    { kind: "quote", text: "greet (read)", source: { kind: "event", index: 7 } },
  ]);
});

it("is unscored without a skill to look for", async () => {
  expect(await verdictOn(fires(), { skill: null })).toMatchObject({ status: "unscored" });
});
