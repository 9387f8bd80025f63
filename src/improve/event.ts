import type { News } from "./loop/improve.ts";

/** What happens while a skill is improved, for whoever watches. */
export type ImproveEvent =
  /** Once, before anything is spent: who is asked, and for what. */
  | { readonly kind: "asking"; readonly judge: string; readonly model: string; readonly wanted: Wanted }
  /** Queries are about to be asked with this description installed. */
  | { readonly kind: "probing"; readonly description: string; readonly part: "learn" | "test" }
  | News;

type Wanted = "versions" | "descriptions" | "edits" | "skill";
