import type { Iteration } from "../../domain/iteration.ts";
import { STORE_SCHEMA } from "../../domain/iteration.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Suite } from "../../domain/suite.ts";
import type { Plan } from "../../domain/trial.ts";
import { fileHash } from "../../lib/tree-hash.ts";
import type { Client } from "../../run/harness.ts";
import { VERSION } from "../../engine/version.ts";
import { skillDigest } from "../../engine/determinants.ts";
import type { RunOptions } from "../../cli/options/run.ts";

interface ManifestFacts {
  readonly number: number;
  readonly now: Date;
  readonly group: string | null;
  readonly bench?: JsonObject;
  /** Where the skill lies for people, if what is run was fetched to another place. */
  readonly skillPath?: string;
  readonly graded: Pick<Iteration, "judge" | "prices">;
}

/** Everything the numbers of an iteration depend on. */
export async function manifestOf(
  { suite, plan, client, options }: { suite: Suite; plan: Plan; client: Client; options: RunOptions },
  { number, now, group, bench, skillPath, graded }: ManifestFacts,
): Promise<Iteration> {
  const { skill } = suite;
  return {
    schema: STORE_SCHEMA,
    number,
    group,
    createdAt: now.toISOString(),
    suite: suite.name,
    skill: skill === null ? null : { path: skillPath ?? skill.root, sha256: await skillDigest(skill) },
    evalFiles: await Promise.all(
      suite.files.map(async ({ path }) => ({ path, sha256: await fileHash(path) })),
    ),
    harness: plan.harness,
    client: { name: client.name, version: client.version },
    model: plan.model,
    judge: graded.judge,
    seed: plan.seed,
    versions: { assay: VERSION, node: process.version, platform: `${process.platform} ${process.arch}` },
    options: { ...(options as unknown as JsonObject), ...(bench && { bench }) },
    prices: graded.prices,
  };
}
