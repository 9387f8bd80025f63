import type { JsonObject } from "./json.ts";

/** Written into every manifest and journal line; a reader refuses what is newer than itself. */
export const STORE_SCHEMA = 1;

/** Everything an iteration's numbers depend on: the content of run.json, repeated in the journal's first event. */
export interface Iteration {
  readonly schema: typeof STORE_SCHEMA;
  /** The N of `iteration-N`. */
  readonly number: number;
  /** Joins the iterations of one matrix or of one call over many skills; null when it stands alone. */
  readonly group: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly suite: string;
  readonly skill: HashedPath | null;
  readonly evalFiles: readonly HashedPath[];
  readonly harness: string;
  readonly client: { readonly name: string; readonly version: string | null } | null;
  /** Null: the client's own default. */
  readonly model: string | null;
  readonly judge: { readonly provider: string; readonly model: string } | null;
  readonly seed: number;
  readonly versions: { readonly assay: string; readonly node: string; readonly platform: string };
  /** The options of the command as they were in effect, after flags, environment and files. */
  readonly options: JsonObject;
  /** The prices that costs were computed with; null when nothing had to be priced. */
  readonly prices: JsonObject | null;
}

interface HashedPath {
  readonly path: string;
  readonly sha256: string;
}
