import { expect, it } from "vitest";
import { type Plan, run, world } from "../../../test/support/played-loop.ts";
import { historyReader } from "../../store/read/history.ts";
import { historyFile, recordOf } from "./history-file.ts";
import type { LoopRecord } from "./record.ts";

const HEAD = { startedAt: "2026-01-15T10:30:00Z", skillName: "pdf", about: {} };

function read(record: LoopRecord) {
  const { value, diagnostics } = historyReader.parse(
    "history.json",
    JSON.stringify(historyFile(HEAD, record)),
  );
  expect(diagnostics).toEqual([]);
  return value;
}

it("tells the field which version was adopted, and gives us back what we kept", async () => {
  const plan: Plan = { scores: [0.2, 0.5, 0.4], dropped: [2], found: { 1: { verdict: "better" } } };
  const { rounds, confirmations } = await run(world(), plan, { rounds: 2 });
  const history = read({ rounds, confirmations });
  expect(history?.currentBest).toBe("v1");
  expect(history?.iterations.map((one) => [one.version, one.parent, one.gradingResult])).toEqual([
    ["v0", null, "baseline"],
    ["v1", "v0", "won"],
    ["v2", "v1", "lost"],
  ]);
  expect(history === null ? null : recordOf(history)).toEqual({ rounds, confirmations });
});

it("calls nothing the best that only leads", async () => {
  const { rounds, confirmations } = await run(world(), { scores: [0.2, 0.9] }, { rounds: 1 });
  const history = read({ rounds, confirmations });
  expect(history?.currentBest).toBe("v0");
  expect(history?.extras["leading"]).toBe("v1");
});

it("keeps a confirmation that was begun", async () => {
  const { rounds } = await run(world(), { scores: [0.2, 0.9] }, { rounds: 1 });
  const record = { rounds, confirmations: [{ version: 1, against: 0, found: null, adopted: false }] };
  const history = read(record);
  expect(history === null ? null : recordOf(history)).toEqual(record);
});

it("of others is not gone on with", () => {
  const entry = {
    version: "v0",
    parent: null,
    expectation_pass_rate: 0.65,
    grading_result: "baseline",
    is_current_best: true,
  };
  const file = { started_at: HEAD.startedAt, skill_name: "pdf", current_best: "v0", iterations: [entry] };
  const { value } = historyReader.parse("history.json", JSON.stringify(file));
  expect(value === null ? null : recordOf(value)).toBeNull();
});
