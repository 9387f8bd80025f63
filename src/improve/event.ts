import type { News } from "./loop/improve.ts";

/** What happens while a skill is improved, for whoever watches. */
export type ImproveEvent =
  /** Once, before anything is spent: who is asked, and for what. */
  | { readonly kind: "asking"; readonly judge: string; readonly model: string; readonly wanted: Wanted }
  /** What the rounds may take at most; told again once the first runs are in, where nothing was known before. */
  | ({ readonly kind: "planned" } & PlannedWork)
  /** Queries are about to be asked with this description installed. */
  | { readonly kind: "probing"; readonly description: string; readonly part: "learn" | "test" }
  | News;

export interface PlannedWork {
  /** Runs of agents: to explore, and then of both versions to confirm one. */
  readonly exploring: number;
  readonly confirming: number;
  readonly minutes: number | null;
  /** Of the agents; the judges come on top. */
  readonly costUsd: number | null;
}

type Wanted = "versions" | "descriptions" | "edits" | "skill";
