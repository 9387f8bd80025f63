import { UserError } from "../domain/user-error.ts";
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

export function openDoor(door: Door): OpenDoor {
  const problem = doorProblem(door);
  if (problem !== null)
    throw new UserError("options/bad-door", problem, {
      hint: "the second argument is { machine: thisMachine(), config?, reporters?, signal? }",
    });
  const { machine, config, reporters, signal } = door;
  return {
    machine,
    config: config ?? NO_CONFIG,
    reporters: reporters ?? [],
    signal: signal ?? new AbortController().signal,
  };
}

/** What a program that is not type-checked may get wrong. */
function doorProblem(door: unknown): string | null {
  const { machine, reporters, signal } = (door ?? {}) as Partial<Record<keyof Door, unknown>>;
  if (typeof machine !== "object" || machine === null) return "the door has no machine";
  if (signal !== undefined && !(signal instanceof AbortSignal)) return "the door's signal is no AbortSignal";
  const isReporter = (one: unknown) => typeof (one as { name?: unknown } | null)?.name === "string";
  if (reporters !== undefined && !(Array.isArray(reporters) && reporters.every(isReporter)))
    return "the door's reporters must be a list of reporters, each with a name";
  return null;
}

/** Where options come from that the caller did not pass. */
export function sourcesOf({ machine, config }: OpenDoor): Sources {
  return { env: machine.env, config: config.settings, refused: config.refused };
}
