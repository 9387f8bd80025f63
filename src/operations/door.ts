import { type Config, NO_CONFIG } from "../engine/config.ts";
import type { Machine } from "../machine.ts";
import type { Sources } from "../options/table.ts";
import type { Reporter } from "../report/reporter.ts";

/** Who calls an operation: where they are, what they configured, what they want to hear, and when they want it to stop. */
export interface Door {
  readonly machine: Machine;
  /** Absent: nothing is configured. `readConfig` reads a file. */
  readonly config?: Config;
  /** Hear every event as it happens, and the reports at the end. One that throws is left out from then on. */
  readonly reporters?: readonly Reporter[];
  /** Stops the work: nothing new starts, what runs is ended, what is finished stays. */
  readonly signal?: AbortSignal;
}

/** The same with everything in its place. */
export interface OpenDoor {
  readonly machine: Machine;
  readonly config: Config;
  readonly reporters: readonly Reporter[];
  readonly signal: AbortSignal;
}

export function openDoor({ machine, config, reporters, signal }: Door): OpenDoor {
  return {
    machine,
    config: config ?? NO_CONFIG,
    reporters: reporters ?? [],
    signal: signal ?? new AbortController().signal,
  };
}

/** Where options come from that the caller did not pass. */
export function sourcesOf({ machine, config }: OpenDoor): Sources {
  return { env: machine.env, config: config.settings, refused: config.refused };
}
