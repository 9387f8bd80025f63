import { readFile } from "node:fs/promises";
import { UserError } from "../../domain/user-error.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import type { KnownGood } from "../../report/benchmark/known-good.ts";

interface KnownGoodFile {
  readonly schema: 2;
  /** By skill; one entry for each agent and model. */
  readonly skills: Readonly<Record<string, readonly KnownGood[]>>;
}

export async function readKnownGood(path: string): Promise<KnownGoodFile> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { schema: 2, skills: {} };
    throw error;
  }
  try {
    const file = JSON.parse(text) as Partial<KnownGoodFile> | null;
    if (file?.schema === 2 && isObject(file.skills)) return file as KnownGoodFile;
  } catch {
    // Told below, together with what is no JSON object.
  }
  throw new UserError("bench/bad-baseline", `${path} is not a baseline that this version can read`, {
    hint: "remove it and make it again with assay bench --update-baseline",
  });
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function entryFor(
  { skills }: KnownGoodFile,
  skill: string,
  { harness, model }: Pick<KnownGood, "harness" | "model">,
): KnownGood | null {
  return skills[skill]?.find((entry) => entry.harness === harness && entry.model === model) ?? null;
}

/** Replaces what the file says about the same skill, agent and model; entries stay in order, so that diffs are small. */
export async function updateKnownGood(path: string, skill: string, good: KnownGood): Promise<void> {
  const file = await readKnownGood(path);
  const others = (file.skills[skill] ?? []).filter(
    (entry) => entry.harness !== good.harness || entry.model !== good.model,
  );
  const entries = [...others, good].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const skills = Object.fromEntries(
    Object.entries({ ...file.skills, [skill]: entries }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  await writeFileAtomic(path, `${JSON.stringify({ schema: 2, skills }, null, 2)}\n`);
}

function nameOf({ harness, model }: KnownGood): string {
  return `${harness} ${model ?? ""}`;
}
