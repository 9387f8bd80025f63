import { createHash } from "node:crypto";
import type { Case } from "../domain/suite.ts";
import type { Determinants, Plan } from "../domain/plan.ts";
import type { Trial } from "../domain/trial.ts";
import type { CassetteHeader } from "../gateway/cassette/cassette.ts";

type HeaderFacts = Pick<Plan, "harness" | "model" | "client"> & {
  readonly determinants: Determinants;
  readonly suite: Pick<Plan["suite"], "name">;
};

/** What a recording of a trial depends on, told apart so that a person learns what has changed. */
export function cassetteHeader(
  trial: Trial,
  one: Case,
  { suite, harness, model, determinants, client }: HeaderFacts,
): CassetteHeader {
  return {
    suite: suite.name,
    caseId: trial.caseId,
    variant: trial.variant,
    harness,
    model,
    repetition: trial.repetition,
    client: { name: client?.name ?? harness, version: client?.version ?? null },
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
