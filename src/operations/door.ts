import { isAbsolute } from "node:path";
import { UserError } from "../domain/user-error.ts";
import { type Config, NO_CONFIG } from "../engine/config.ts";
import { nearest } from "../lib/nearest.ts";
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

/** Who wants to hear how an operation gets on that has no reports. */
export interface ListeningDoor<E> extends Omit<Door, "reporters"> {
  /** One that throws is left out from then on. */
  readonly on?: (event: E) => void;
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

const PARTS = ["machine", "config", "reporters", "signal"] satisfies (keyof Door)[];

/** What a program that is not type-checked may get wrong. */
function doorProblem(door: unknown): string | null {
  if (!isObject(door)) return "the door is not an object";
  const { machine, config, reporters, signal, ...rest } = door;
  // Some operations hear more than this, so only what looks misspelt is wrong.
  const misspelt = Object.keys(rest).find((name) => nearest(name, PARTS) !== null);
  if (misspelt !== undefined) return `the door has no ${JSON.stringify(misspelt)}`;
  if (!isObject(machine)) return "the door has no machine";
  if (signal !== undefined && !(signal instanceof AbortSignal))
    return "the door's signal is not an AbortSignal";
  if (reporters !== undefined && !(Array.isArray(reporters) && reporters.every(isReporter)))
    return "the door's reporters must be a list of reporters, each with a name, and with functions for event and finish";
  return machineProblem(machine) ?? configProblem(config);
}

function machineProblem({ env, cwd, home, ...rest }: Readonly<Record<string, unknown>>): string | null {
  const isText = (value: unknown) => value === undefined || typeof value === "string";
  if (!isObject(env) || !Object.values(env).every(isText))
    return "the machine's env must be an object of texts";
  if (!isPath(cwd)) return "the machine's cwd must be an absolute path";
  if (!isPath(home)) return "the machine's home must be an absolute path";
  const missing = ["now", "note", "consent"].find((name) => typeof rest[name] !== "function");
  return missing === undefined ? null : `the machine's ${missing} must be a function`;
}

function configProblem(config: unknown): string | null {
  if (config === undefined) return null;
  const parts = Object.keys(NO_CONFIG) as (keyof Config)[];
  if (isObject(config) && parts.every((part) => isObject(config[part]))) return null;
  return "the door's config must come from readConfig, or be NO_CONFIG with something changed; both are in assay/config";
}

function isReporter(one: unknown): boolean {
  if (!isObject(one) || typeof one["name"] !== "string") return false;
  return ["event", "finish"].every((name) => ["undefined", "function"].includes(typeof one[name]));
}

function isPath(value: unknown): boolean {
  return typeof value === "string" && isAbsolute(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Where options come from that the caller did not pass. */
export function sourcesOf({ machine, config }: OpenDoor): Sources {
  return { env: machine.env, config: config.settings, refused: config.refused };
}
