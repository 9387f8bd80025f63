import type { EvalEvent } from "../domain/event.ts";
import type { Iteration } from "../domain/iteration.ts";
import type { Summary } from "../domain/summary.ts";
import type { TriggerAgreement } from "../domain/triggers.ts";
import { deepFreeze } from "../lib/deep-freeze.ts";
import { thrownWords } from "../lib/thrown-words.ts";
import { within } from "../lib/within.ts";
import type { Evaluated } from "./evaluated.ts";
import type { Look } from "./page.ts";

/** Tells somebody about an evaluation. Sees read-only views and can stop nothing. */
export interface Reporter {
  readonly name: string;
  /** Each event as it happens, live ones included. Several iterations may be at work at once: `iteration` says which it is of. */
  event?(event: EvalEvent, iteration: Iteration): void;
  /** Once, after everything has ended; one entry per iteration, and what there is no report of. */
  finish?(reports: readonly IterationReport[], rest: Unreported): Promise<void> | void;
}

/** What was to be evaluated and has no report. */
export interface Unreported {
  /** Iterations that an error kept from finishing. */
  readonly failures: readonly (IterationName & { readonly message: string })[];
  /** Iterations that had not started when the call was stopped. */
  readonly notBegun: readonly IterationName[];
}

export interface IterationName {
  readonly suite: string;
  readonly harness: string;
  /** Null: the client's own default. */
  readonly model: string | null;
}

export const ALL_REPORTED: Unreported = { failures: [], notBegun: [] };

/** Where a reporter writes. */
export interface ReporterOutput {
  /** The result: standard output or a file. */
  readonly write: (text: string) => void;
  /** Progress, for a person who watches. */
  readonly progress: (text: string) => void;
  /** A path as a person at this place would write it. */
  readonly show: (path: string) => string;
  /** Who reads, and on what; absent: plain lines. */
  readonly look?: Look;
  /** What the user typed, ready to be typed again; absent: nobody did. */
  readonly command?: string;
}

export interface IterationReport {
  readonly summary: Summary;
  readonly evaluated: Evaluated;
  /** Absolute path of the iteration folder. */
  readonly folder: string;
  /** The folder of each run, relative to the iteration, by trial id. */
  readonly runFolders: ReadonlyMap<string, string>;
  /** How a classifier and a real agent agree, where both asked these queries; absent or null: only one did. */
  readonly agreement?: TriggerAgreement | null;
}

/**
 * One reporter made of many. One that fails is reported once and left out from then on; the others continue. What they are
 * given is frozen: a reporter that tries to change it fails like any other, and so does one that does not finish.
 */
export function dispatch(
  reporters: readonly Reporter[],
  complain: (message: string) => void,
  signal: AbortSignal,
): Required<Reporter> {
  const failed = new Set<Reporter>();
  const fail = (reporter: Reporter, error: unknown): void => {
    if (failed.has(reporter)) return;
    failed.add(reporter);
    complain(`the ${reporter.name} reporter failed and is left out: ${thrownWords(error)}`);
  };
  const tell = async (reporter: Reporter, act: () => unknown): Promise<void> => {
    if (failed.has(reporter)) return;
    try {
      await act();
    } catch (error) {
      fail(reporter, error);
    }
  };
  return {
    name: "all",
    event(event, iteration) {
      if (reporters.length === 0) return;
      deepFreeze(event);
      for (const reporter of reporters) void tell(reporter, () => reporter.event?.(event, iteration));
    },
    async finish(reports, rest) {
      deepFreeze([reports, rest]);
      const patience = { limitMs: FINISH_MS, signal, graceMs: AFTER_STOP_MS };
      for (const reporter of reporters)
        await tell(reporter, () => within(() => reporter.finish?.(reports, rest), patience));
    },
  };
}

/** How long a reporter may take to finish, and how long after the call was stopped: what there is, is still reported. */
const FINISH_MS = 60_000;
const AFTER_STOP_MS = 5000;
