import { createHash } from "node:crypto";
import type { Case } from "../../domain/suite.ts";
import type { Plan, Trial } from "../../domain/trial.ts";
import type { CassetteHeader } from "../../gateway/cassette/cassette.ts";
import type { Determinants } from "../../plan/plan.ts";
import type { Client } from "../../run/harness.ts";

/** What a recording of a trial depends on, told apart so that a person learns what has changed. */
export function cassetteHeader(
  trial: Trial,
  one: Case,
  around: {
    readonly plan: Pick<Plan, "suite" | "harness" | "model">;
    readonly determinants: Determinants;
    readonly client: Pick<Client, "name" | "version">;
  },
): CassetteHeader {
  const { plan, determinants, client } = around;
  return {
    suite: plan.suite,
    caseId: trial.caseId,
    variant: trial.variant,
    harness: plan.harness,
    model: plan.model,
    repetition: trial.repetition,
    client: { name: client.name, version: client.version },
    inputs: {
      skill: determinants.skill[trial.variant] ?? "none",
      prompt: digest([one.prompt, one.settings.systemPrompt]),
      files: determinants.cases[one.id] ?? "none",
      scripts: digest([one.setup, one.teardown]),
      "MCP servers": digest(one.mcpServers),
      project: determinants.project,
      options: determinants.options,
    },
  };
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}
