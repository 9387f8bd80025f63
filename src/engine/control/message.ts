import type { RunStatus } from "../../domain/control.ts";

/** What a running call can be told; each is answered with how it then stands. */
export type ControlMessage =
  | { readonly do: "status" | "pause" | "resume" }
  /** `now` also ends what is at work. */
  | { readonly do: "stop"; readonly now: boolean }
  /** Null: as it is. */
  | {
      readonly do: "limit";
      readonly concurrency: number | null;
      readonly maxCostUsd: number | null;
      readonly maxTokens: number | null;
    };

export type ControlReply =
  | { readonly ok: true; readonly status: RunStatus }
  | { readonly ok: false; readonly problem: string };

/** Where a call that is at work can be reached; a link in the results folder. */
export interface RunningRecord {
  /** What is said over the socket; another number is another version of Assay. */
  readonly protocol: typeof CONTROL_PROTOCOL;
  readonly id: string;
  readonly pid: number;
  /** Absolute path. */
  readonly socket: string;
}

export const CONTROL_PROTOCOL = 1;
