import type { EvalEvent } from "../domain/event.ts";
import type { Iteration } from "../domain/iteration.ts";
import type { Summary } from "../domain/summary.ts";
import type { TriggerAgreement } from "../domain/triggers.ts";
import { deepFreeze } from "../lib/deep-freeze.ts";
import type { Evaluated } from "./evaluated.ts";

/** Tells somebody about an evaluation. Sees read-only views and can stop nothing. */
export interface Reporter {
  readonly name: string;
  /** Each event as it happens, live ones included. Several iterations may be at work at once: `iteration` says which it is of. */
  event?(event: EvalEvent, iteration: Iteration): void;
  /** Once, after everything has ended; one entry per iteration. */
  finish?(reports: readonly IterationReport[]): Promise<void> | void;
}

/** Where a reporter writes. */
export interface ReporterOutput {
  /** The result: standard output or a file. */
  readonly write: (text: string) => void;
  /** Progress, for a person who watches. */
  readonly progress: (text: string) => void;
  /** A path as a person at this place would write it. */
  readonly show: (path: string) => string;
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
 * given is frozen: a reporter that tries to change it fails like any other.
 */
export function dispatch(
  reporters: readonly Reporter[],
  complain: (message: string) => void,
): Required<Reporter> {
  const failed = new Set<Reporter>();
  const fail = (reporter: Reporter, error: unknown): void => {
    failed.add(reporter);
    complain(
      `the ${reporter.name} reporter failed and is left out: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
  return {
    name: "all",
    event(event, iteration) {
      if (reporters.length === 0) return;
      deepFreeze(event);
      deepFreeze(iteration);
      for (const reporter of reporters) {
        if (failed.has(reporter)) continue;
        try {
          reporter.event?.(event, iteration);
        } catch (error) {
          fail(reporter, error);
        }
      }
    },
    async finish(reports) {
      for (const report of reports) deepFreeze(report.summary);
      for (const reporter of reporters) {
        if (failed.has(reporter)) continue;
        try {
          await reporter.finish?.(reports);
        } catch (error) {
          fail(reporter, error);
        }
      }
    },
  };
}
