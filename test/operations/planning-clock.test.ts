import { expect, it } from "vitest";
import { evaluate } from "../../src/operations/evaluate.ts";
import { list } from "../../src/operations/list.ts";
import { machineIn } from "../support/machine.ts";
import { greeterProject } from "../support/project.ts";

const MILLION = { usage: { input_tokens: 1_000_000, output_tokens: 1_000_000 } };
const AGENT = { harnesses: ["scripted"], script: "script.json", models: ["o3"] };

it("estimates with the prices of the caller's day, not of the process's", { timeout: 60_000 }, async () => {
  await using project = await greeterProject([{ steps: [MILLION, { text: "Hello Ada" }] }]);
  const machine = machineIn(project.root);
  const wanted = { targets: ["skills/greeter"], cases: ["1"], models: AGENT.models };
  await evaluate({ ...AGENT, ...wanted }, { machine });
  const costAt = async (day: string) => {
    const door = { machine: { ...machine, now: () => new Date(day) } };
    const { plans } = await list({ ...wanted, harnesses: AGENT.harnesses }, door);
    return plans.map(({ estimate }) => estimate.costUsd);
  };
  // The model became cheaper in June 2025.
  expect(await costAt("2025-05-01T12:00:00Z")).toEqual([50]);
  expect(await costAt("2026-05-01T12:00:00Z")).toEqual([10]);
});
