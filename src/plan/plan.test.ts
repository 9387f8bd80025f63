import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCase, aSuite } from "../../test/support/cases.ts";
import { NO_SETTINGS } from "../domain/suite.ts";
import { costOfTrials, NO_HISTORY, type RunHistory } from "./estimate.ts";
import { type PlanOptions, planTrials } from "./plan.ts";
import { changedSuites, EVERYTHING, selectCases, selectionPerSuite } from "./select.ts";

const OPTIONS: PlanOptions = {
  harness: "scripted",
  model: null,
  variants: ["with_skill"],
  selection: EVERYTHING,
  runs: null,
  defaultRuns: { task: 1, trigger: 3 },
  seed: 1,
  determinants: { client: "c", options: "o", project: "p", skill: { with_skill: "s" }, cases: {} },
  history: NO_HISTORY,
};

function keys(options: Partial<PlanOptions> = {}, prompt = "Do it"): string[] {
  const suite = aSuite([aCase({ prompt: { kind: "turns", turns: [prompt] } })]);
  return planTrials(suite, { ...OPTIONS, ...options }).trials.map((trial) => trial.key);
}

describe("planTrials", () => {
  it("expands cases, variants and repetitions with readable ids", () => {
    const suite = aSuite([aCase({ id: "A1" }), aCase({ id: "q", kind: "trigger" })]);
    const plan = planTrials(suite, { ...OPTIONS, variants: ["with_skill", "without_skill"] });
    expect(plan.trials.map((trial) => trial.id).sort()).toEqual([
      "A1/with_skill/run-1",
      "A1/without_skill/run-1",
      "q/with_skill/run-1",
      "q/with_skill/run-2",
      "q/with_skill/run-3",
    ]);
  });

  it("takes repetitions from --runs, then the case, then the command", () => {
    const varied = aCase({ settings: { ...NO_SETTINGS, variance: { runs: 5, minStability: 0.8 } } });
    const count = (runs: number | null, one = varied) =>
      planTrials(aSuite([one]), { ...OPTIONS, runs }).trials.length;
    expect([count(2), count(null), count(null, aCase())]).toEqual([2, 5, 1]);
  });

  it("gives a trial the same key until something that determines it changes", () => {
    const [key] = keys();
    const { determinants } = OPTIONS;
    expect(keys()).toEqual([key]);
    expect(keys({ seed: 9, history: { ...NO_HISTORY, concurrency: 4 } })).toEqual([key]);
    for (const changed of [
      keys({}, "Do it now"),
      keys({ model: "m" }),
      keys({ harness: "codex" }),
      keys({ determinants: { ...determinants, client: "c2" } }),
      keys({ determinants: { ...determinants, options: "o2" } }),
      keys({ determinants: { ...determinants, project: "p2" } }),
      keys({ determinants: { ...determinants, skill: { with_skill: "s2" } } }),
      keys({ determinants: { ...determinants, cases: { "1": "files" } } }),
    ]) {
      expect(changed).not.toEqual([key]);
    }
  });

  it("does not run a case again because its checks changed", () => {
    const criterion = {
      id: "c",
      layer: "L3",
      text: "x",
      appliesTo: "every-variant",
      origin: null,
      kind: "criterion",
    } as const;
    const keyOf = (one = aCase()) => planTrials(aSuite([one]), OPTIONS).trials[0]?.key;
    expect(keyOf(aCase({ checks: [criterion] }))).toBe(keyOf());
  });

  it("starts the longest first and keeps the variants of a repetition together", () => {
    const history: RunHistory = {
      ...NO_HISTORY,
      runs: [past("short", 5), past("long", 90), past("middle", 30)],
    };
    const suite = aSuite(["short", "long", "middle"].map((id) => aCase({ id })));
    const plan = planTrials(suite, { ...OPTIONS, history, variants: ["with_skill", "without_skill"] });
    expect(plan.trials.map((trial) => trial.caseId)).toEqual([
      "long",
      "long",
      "middle",
      "middle",
      "short",
      "short",
    ]);
  });

  it("alternates which variant of a block starts", () => {
    const suite = aSuite(Array.from({ length: 6 }, (_, i) => aCase({ id: `c${i}` })));
    const plan = planTrials(suite, { ...OPTIONS, variants: ["with_skill", "without_skill"] });
    const first = plan.trials.filter((_, index) => index % 2 === 0).map((trial) => trial.variant);
    expect(new Set(first)).toEqual(new Set(["with_skill", "without_skill"]));
  });
});

describe("the estimate", () => {
  it("is unknown, not zero, without an earlier run", () => {
    expect(planTrials(aSuite([aCase()]), OPTIONS).estimate).toMatchObject({
      runs: 1,
      minutes: null,
      costUsd: null,
    });
  });

  it("adds up what earlier runs took and what they cost", () => {
    const history: RunHistory = {
      agent: null,
      runs: [past("1", 60), past("1", 120)],
      price: ({ input, output }) => input * 2 + output,
      concurrency: 2,
    };
    const { estimate } = planTrials(aSuite([aCase()]), { ...OPTIONS, history, runs: 4 });
    expect(estimate).toMatchObject({ runs: 4, minutes: 3, inputTokens: 400, outputTokens: 40, costUsd: 840 });
  });

  it("goes by what runs of the case and arm have cost, where that is known, rather than by their tokens", () => {
    const history: RunHistory = {
      ...NO_HISTORY,
      runs: [
        { ...past("1", 60), costUsd: 0.2 },
        { ...past("1", 60), costUsd: 0.4 },
        { ...past("1", 60), variant: "without_skill", costUsd: 0.1 },
      ],
      price: () => 840,
    };
    const planned = planTrials(aSuite([aCase()]), {
      ...OPTIONS,
      history,
      runs: 2,
      variants: ["with_skill", "without_skill"],
    });
    expect(planned.estimate.costUsd).toBeCloseTo(0.8);
    const withSkill = planned.trials.filter(({ variant }) => variant === "with_skill");
    expect(costOfTrials(planned, withSkill)).toBeCloseTo(0.6);
  });
});

describe("selectCases", () => {
  const cases = [
    aCase({ id: "A1", name: "Brief" }),
    aCase({ id: "B2", declaredId: "b two", prompt: { kind: "invocation", args: "--strict" } }),
    aCase({ id: "t", kind: "trigger" }),
  ];
  const ids = (parts: Partial<typeof EVERYTHING>) =>
    selectCases(cases, { ...EVERYTHING, ...parts }).map((one) => one.id);

  it.each([
    [{ mode: "artifact" }, ["A1", "B2"]],
    [{ mode: "trigger" }, ["t"]],
    [{ cases: ["b two", "A1"] }, ["A1", "B2"]],
    [{ filter: "STRICT" }, ["B2"]],
    [{ filter: "brief" }, ["A1"]],
    [{ filter: "nothing like it" }, []],
  ] as const)("%j selects %j", (selection, expected) => {
    expect(ids(selection)).toEqual(expected);
  });

  it("shards many small suites together, each case into one shard", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (sizes, count) => {
          const suites = sizes.map((size, at) => ({
            ...aSuite(Array.from({ length: size }, (_, i) => aCase({ id: `c${i}` }))),
            name: `skill-${at}`,
          }));
          const shards = Array.from({ length: count }, (_, i) => {
            const selectionOf = selectionPerSuite(suites, { ...EVERYTHING, shard: { index: i + 1, count } });
            return suites.flatMap((one) =>
              selectCases(one.cases, selectionOf(one)).map(({ id }) => `${one.name}/${id}`),
            );
          });
          const all = suites.flatMap((one) => one.cases.map(({ id }) => `${one.name}/${id}`));
          expect(shards.flat().sort()).toEqual(all.sort());
          const lengths = shards.map((shard) => shard.length);
          expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it("shards evenly, completely and without regard to order", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 })),
        fc.integer({ min: 1, max: 7 }),
        (names, count) => {
          const all = names.map((id) => aCase({ id }));
          const shards = Array.from({ length: count }, (_, i) =>
            selectCases(all, { ...EVERYTHING, shard: { index: i + 1, count } }).map((one) => one.id),
          );
          const reversed = selectCases(all.toReversed(), { ...EVERYTHING, shard: { index: 1, count } }).map(
            (one) => one.id,
          );
          expect(shards.flat().sort()).toEqual([...names].sort());
          expect(reversed.sort()).toEqual([...(shards[0] ?? [])].sort());
          const sizes = shards.map((shard) => shard.length);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe("changedSuites", () => {
  it("keeps the suites whose skill, eval files or staged files changed", () => {
    const file = {
      kind: "path",
      declared: "x",
      source: "/p/fixtures/x",
      target: "x",
      problem: null,
    } as const;
    const suites = [
      aSuite([aCase({ files: [file] })], { name: "a" }),
      aSuite([aCase({ overlays: ["/p/evals/setup"] })], { name: "b" }),
    ];
    expect(changedSuites(suites, ["/p/fixtures/x"]).map((suite) => suite.name)).toEqual(["a"]);
    expect(changedSuites(suites, ["/p/evals/setup/deep/file"]).map((suite) => suite.name)).toEqual(["b"]);
    expect(changedSuites(suites, ["/p/evals/setup-other"])).toEqual([]);
  });
});

function past(caseId: string, seconds: number) {
  return { caseId, variant: "with_skill", seconds, inputTokens: 100, outputTokens: 10, costUsd: null };
}
