import type { Grader } from "../grade/grader.ts";
import type { Judge } from "../grade/judge.ts";
import type { Format } from "../load/format.ts";
import type { Reporter, ReporterOutput } from "../report/reporter.ts";
import type { Harness } from "../run/harness.ts";
import type { HarnessSetup } from "../run/harnesses/index.ts";

/** A part that is known by its name: built in, or added by a configuration that the user named. */
export interface Named<Create> {
  /** What `--harness`, `--reporter` and so on call it. */
  readonly name: string;
  /** One line for help and docs. */
  readonly help: string;
  readonly create: Create;
}

/** What a JavaScript configuration may add. A name of a built-in part cannot be taken. */
export interface Plugins {
  readonly harnesses: readonly Named<(setup: HarnessSetup) => Harness | Promise<Harness>>[];
  /** Asked before the built-in graders about every check that they say they decide. */
  readonly graders: readonly Named<() => Grader>[];
  /** Chosen by `--grading-provider NAME`, the variable, an eval file or the configuration. */
  readonly judges: readonly Named<(asked: { readonly model: string | null }) => Judge>[];
  readonly reporters: readonly Named<(output: ReporterOutput) => Reporter>[];
  /** Tried on a file that no built-in format recognizes. */
  readonly formats: readonly Format[];
}

export const NO_PLUGINS: Plugins = { harnesses: [], graders: [], judges: [], reporters: [], formats: [] };
