import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import type { TrendLine } from "../../src/domain/trend.ts";
import type { TriggersFile } from "../../src/store/write/triggers.ts";
import { assay } from "../support/command-line.ts";
import {
  FIRE_CANARY,
  finished,
  result,
  run,
  runWith,
  SHOULD,
  SHOULD_NOT,
  triggerProject,
} from "../support/trigger-project.ts";

/** Greets always; a flaky query fires in the runs that the list names, counted where no file is part of the project. */
const arms = (firing: string) => `${FIRE_CANARY}
*greet*) fire "$ASSAY_SKILL" ;;
*flaky*) count="$(dirname "$0")/.assay/count"; n=$(( $(cat "$count" 2>/dev/null || echo 0) + 1 )); echo $n > "$count"
  case " ${firing} " in *" $n "*) fire "$ASSAY_SKILL" ;; esac ;;`;
const FLAKY = { query: "flaky", should_trigger: true };
const IN_TURN = ["--concurrency", "1"];

describe("a query that chance may have decided", () => {
  it("is asked again until it is settled, which leaves its rate alone", async () => {
    const queries = [SHOULD, SHOULD_NOT, FLAKY];
    await using tree = await triggerProject({ queries, arms: arms("1 3 4 5 6 7") });
    const { exitCode, out } = await run(tree, ...IN_TURN);
    expect(out).toContain("triggers: 3 of 3 queries passed");
    expect(exitCode).toBe(0);
    const { results, summary } = await result<TriggersFile>(tree, "triggers.json");
    expect(
      results.map(({ status, triggers, runs, repeated }) => [status, triggers, runs, repeated.runs]),
    ).toEqual([
      ["passed", 3, 3, 3],
      ["passed", 0, 3, 3],
      ["passed", 2, 3, 7],
    ]);
    expect(summary).toMatchObject({ passed: 3, failed: 0, unsettled: 0, unscored: 0 });
    expect((await result<Summary>(tree, "summary.json")).missing.notRun).toBe(0);
  });

  it("counts in no rate of the summary or the trend beyond its first runs", async () => {
    const queries = [SHOULD, SHOULD_NOT, FLAKY];
    await using tree = await triggerProject({ queries, arms: arms("1 3 4 5 6 7") });
    await run(tree, ...IN_TURN);
    const { variants, cases } = await result<Summary>(tree, "summary.json");
    expect(variants).toMatchObject([
      {
        over: "trigger",
        trials: 9,
        counted: 9,
        loaded: null,
        checks: { passed: 8, total: 9 },
        layers: { trigger: { passed: 8, total: 9 } },
      },
    ]);
    expect(cases.at(-1)).toMatchObject({ checks: { passed: 2, total: 3 }, stability: 2 / 3 });
    expect(cases.at(-1)?.trials).toHaveLength(7);
    const line = JSON.parse(await readFile(tree.path(".assay/greeter/trend.jsonl"), "utf8")) as TrendLine;
    expect(line.arms["with_skill"]).toMatchObject({ trials: 9, passed: 8, total: 9, stability: 8 / 9 });
  });

  it("is unsettled after --max-runs, and fails nothing unless --strict asks for an answer", async () => {
    await using tree = await triggerProject({ queries: [SHOULD, FLAKY], arms: arms("1 3 5 7 9 11 13 15") });
    const { exitCode, out } = await run(tree, ...IN_TURN);
    expect(out).toContain("greeter: passed, but 1 of 2 queries may have passed or failed by chance");
    expect(out).toContain("triggers: 1 of 2 queries passed, 1 unsettled");
    expect(out).toMatch(
      /\? should fire: "flaky": unsettled, fired in \d of \d runs, threshold 0.5: this may be chance/,
    );
    expect(exitCode).toBe(0);
    const [, flaky] = (await result<Summary>(tree, "summary.json")).triggers?.queries ?? [];
    expect(flaky).toMatchObject({ status: "unsettled", leaning: "passed", fired: { passed: 2, total: 3 } });
    const junit = await run(tree, ...IN_TURN, "--strict", "--reporter", "junit");
    expect(junit.exitCode).toBe(3);
    expect(junit.out).toContain('<skipped message="unsettled: fired in');
  });

  it("is asked no more often than --max-runs says", async () => {
    await using tree = await triggerProject({ queries: [FLAKY], arms: arms("1") });
    const { exitCode, out } = await run(tree, ...IN_TURN, "--max-runs", "1");
    expect(exitCode).toBe(0);
    expect(out).toContain("greeter: undecided, every query may have been decided by chance");
    const [first] = (await result<TriggersFile>(tree, "triggers.json")).results;
    expect(first).toMatchObject({ status: "unsettled", pass: true, runs: 1, more_runs: 2 });
    expect((await finished(tree)).filter(({ trial }) => trial.caseId !== "assay:canary")).toHaveLength(1);
  });

  it("is said to be with --strict, and what may settle it", async () => {
    await using tree = await triggerProject({ queries: [FLAKY], arms: arms("1") });
    const { exitCode, out } = await run(tree, ...IN_TURN, "--max-runs", "1", "--strict");
    expect(exitCode).toBe(3);
    expect(out).toContain("greeter: UNSETTLED: 1 of 1 query may have passed or failed by chance");
    expect(out).toMatch(/Next: assay run .* --max-runs 18 --resume$/m);
  });

  it("goes on where it was with --resume", async () => {
    await using tree = await triggerProject({ queries: [FLAKY], arms: arms("1 3 4 5 6 7") });
    await run(tree, ...IN_TURN, "--max-runs", "3");
    await run(tree, ...IN_TURN, "--resume");
    await run(tree, ...IN_TURN, "--resume");
    const [first] = (await result<TriggersFile>(tree, "triggers.json")).results;
    expect(first).toMatchObject({ status: "passed", repeated: { fired: 6, runs: 7 } });
    expect((await finished(tree)).filter(({ trial }) => trial.caseId !== "assay:canary")).toHaveLength(7);
  });

  it("fails when it is on the wrong side of the threshold beyond chance", async () => {
    await using tree = await triggerProject({ queries: [SHOULD, FLAKY], arms: arms("2") });
    const { exitCode, out } = await run(tree, ...IN_TURN);
    expect(exitCode).toBe(1);
    expect(out).toContain('x should fire: "flaky": fired in 1 of 7 runs, threshold 0.5');
  });
});

it("list says how many runs there may be", async () => {
  await using tree = await triggerProject({ queries: [SHOULD, SHOULD_NOT], arms: arms("") });
  const { out } = await assay(["list", "skills/greeter"], { cwd: tree.root });
  expect(out).toMatch(/greeter +auto +\(its own\) +8 to 20 /);
});

describe("--adaptive", () => {
  it("starts with as few runs as may settle a query, and says what that saved", async () => {
    await using tree = await triggerProject({ queries: [SHOULD, SHOULD_NOT], arms: arms("") });
    const { out } = await run(tree, "--adaptive", "--runs", "5");
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results.map(({ runs }) => runs)).toEqual([3, 3]);
    expect(file.adaptive).toEqual({ plannedRuns: 10, runs: 6, savedTokens: null });
    expect(out).toContain("adaptive: 6 runs in place of 10");
  });

  it("records the runs that it adds too", async () => {
    await using tree = await triggerProject({ queries: [FLAKY], arms: arms("1 3 4 5 6 7") });
    const env = { ANTHROPIC_API_KEY: "fake-key-1234" };
    const { err } = await runWith(tree, env, [...IN_TURN, "--adaptive", "--record"]);
    expect(err).not.toContain("error");
    const file = await result<TriggersFile>(tree, "triggers.json");
    expect(file.results[0]?.repeated.runs).toBe(7);
  });
});
