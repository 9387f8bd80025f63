import { graders } from "../grade/graders/index.ts";
import { judges } from "../grade/judges/index.ts";
import { formats } from "../load/formats/index.ts";
import { PROVIDER_NAMES } from "../providers/connect.ts";
import { reporters } from "../report/reporters/index.ts";
import { executors } from "../run/executors/index.ts";
import { harnesses } from "../run/harnesses/index.ts";
import { sandboxes } from "../run/sandboxes/index.ts";

/** A built-in part, as help and docs show it. */
export interface Part {
  readonly name: string;
  readonly help: string;
}

/** Every part there is without a configuration, by extension point, in the order in which they are offered. */
export const BUILT_IN_PARTS = {
  formats: shown(formats),
  harnesses: shown(harnesses),
  sandboxes: shown(sandboxes),
  executors: shown(executors),
  graders: shown(graders),
  judges: shown(judges),
  reporters: shown(reporters),
} as const satisfies Readonly<Record<string, readonly Part[]>>;

/** The model services that can judge. */
export const GRADING_PROVIDERS: readonly string[] = PROVIDER_NAMES;

function shown(parts: readonly Part[]): readonly Part[] {
  return parts.map(({ name, help }) => ({ name, help }));
}
