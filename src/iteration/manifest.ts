import { type Iteration, type Purpose, STORE_SCHEMA } from "../domain/iteration.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Plan } from "../domain/plan.ts";
import { fileHash } from "../lib/tree-hash.ts";
import { skillDigest } from "./digests.ts";

export interface ManifestFacts {
  readonly number: number;
  readonly purpose: Purpose;
  readonly now: Date;
  readonly group: string | null;
  /** The version of this program. */
  readonly version: string;
  /** The options in effect, for a reader. */
  readonly options: JsonObject;
  /** Where the skill lies for people, if what is run was fetched to another place. */
  readonly skillPath: string | null;
  readonly graded: Pick<Iteration, "judge" | "prices" | "prompts">;
}

/** Everything the numbers of an iteration depend on. */
export async function manifestOf(
  { suite, harness, client, model, seed, ground }: Plan,
  { number, purpose, now, group, version, options, skillPath, graded }: ManifestFacts,
): Promise<Iteration> {
  const { skill } = suite;
  return {
    schema: STORE_SCHEMA,
    number,
    purpose,
    group,
    createdAt: now.toISOString(),
    suite: suite.name,
    skill:
      skill === null ? null : { path: skillPath ?? skill.root, sha256: await skillDigest(skill, ground) },
    evalFiles: await Promise.all(
      suite.files.map(async ({ path }) => ({ path, sha256: await fileHash(path) })),
    ),
    harness,
    client,
    model,
    ...(graded.prompts !== undefined && { prompts: graded.prompts }),
    judge: graded.judge,
    seed,
    versions: { assay: version, node: process.version, platform: `${process.platform} ${process.arch}` },
    options,
    prices: graded.prices,
  };
}
