import type { JsonObject } from "./json.ts";

/** Written into every manifest and journal line; a reader refuses what is newer than itself. */
export const STORE_SCHEMA = 1;

/** What an iteration was made for. `smoke`: to see that a benchmark works at all. */
export type Purpose =
  | "run"
  | "bench"
  | "smoke"
  | "compare"
  | "improve-draft"
  | "description"
  | "controls"
  | "capture";

/** Was the installed skill run? The others try something beside it, and must not pass for its newest result. */
export function isOfInstalledSkill({ purpose }: Pick<Iteration, "purpose">): boolean {
  return purpose === "run" || purpose === "bench" || purpose === "smoke";
}

/** Does it say how the installed skill does? Single cases do not, nor does a look at whether a benchmark works. */
export function speaksForSkill(iteration: Iteration): boolean {
  return speaksInTrend({ purpose: iteration.purpose, partial: isPartial(iteration) });
}

export function speaksInTrend({
  purpose,
  partial = false,
}: {
  purpose: Purpose;
  partial?: boolean;
}): boolean {
  return isOfInstalledSkill({ purpose }) && purpose !== "smoke" && !partial;
}

/** Only some cases were asked for. */
export function isPartial({ options }: Pick<Iteration, "options">): boolean {
  if (options["lastFailed"] === true) return true;
  const selection = (options["selection"] ?? {}) as JsonObject;
  return ["cases", "filter", "shard"].some((way) => {
    const said = selection[way] ?? null;
    return Array.isArray(said) ? said.length > 0 : said !== null;
  });
}

/** Everything an iteration's numbers depend on: the content of run.json, repeated in the journal's first event. */
export interface Iteration {
  readonly schema: typeof STORE_SCHEMA;
  /** The N of `iteration-N`. */
  readonly number: number;
  readonly purpose: Purpose;
  /** Joins the iterations of one matrix or of one call over many skills; null when it stands alone. */
  readonly group: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly suite: string;
  readonly skill: SkillRan | null;
  readonly evalFiles: readonly HashedPath[];
  readonly harness: string;
  readonly client: { readonly name: string; readonly version: string | null } | null;
  /** Null: the client's own default. */
  readonly model: string | null;
  /** Judges were told these instead of our own instructions: digests by role. Absent: our own. */
  readonly prompts?: Readonly<Record<string, string>>;
  readonly judge: { readonly provider: string; readonly model: string } | null;
  readonly seed: number;
  readonly versions: { readonly assay: string; readonly node: string; readonly platform: string };
  /** The options of the command as they were in effect, after flags, environment and files. */
  readonly options: JsonObject;
  /** The prices that costs were computed with; null when nothing had to be priced. */
  readonly prices: JsonObject | null;
}

interface SkillRan extends HashedPath {
  /** Absent: the suite has the skill's name. */
  readonly name?: string;
}

/** What clients know the skill by. */
export function skillNameIn({ skill, suite }: Pick<Iteration, "skill" | "suite">): string {
  return skill?.name ?? suite;
}

interface HashedPath {
  readonly path: string;
  readonly sha256: string;
}
