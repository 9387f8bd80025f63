import { UserError } from "../domain/user-error.ts";
import { nearest } from "../lib/nearest.ts";
import { InvalidValue, type Kind } from "./kind.ts";

/** One option: how it is spelled on a command line, what it takes, what it means. */
export interface Row<T> {
  /** As commander reads it, e.g. `--runs <n>`; null: only programs can say it. */
  readonly flag: string | null;
  readonly help: string;
  readonly kind: Kind<NonNullable<T>>;
  /** What holds where nobody says anything. */
  readonly otherwise: T;
  /** Environment variables, the first that is filled counts. */
  readonly env: readonly string[];
  /** The key of a configuration file that says it; null: none does. */
  readonly config: string | null;
  /** The flag may be given several times, one value each. */
  readonly repeatable: boolean;
  /** What the flag means without a value, where it may go without. */
  readonly preset: NonNullable<T> | null;
  /** One dash and one letter, for what people type all day, e.g. `-n`. */
  readonly short: string | null;
  /** What a blank word behind the flag means: in a script, "$UNSET" mostly says nothing. */
  readonly blank: "not-said" | "refused";
}

type Extra<T> = Partial<Pick<Row<T>, "env" | "config" | "repeatable" | "preset" | "short" | "blank">>;

/** An option that is null where nobody says anything. */
export function option<T>(flag: string | null, kind: Kind<T>, help: string, extra: Extra<T | null> = {}) {
  return row<T | null>({ flag, kind: kind as Kind<NonNullable<T>>, help, otherwise: null }, extra);
}

/** An option with a default. */
export function optionOr<T>(
  flag: string | null,
  { kind, otherwise }: { kind: Kind<T>; otherwise: NoInfer<T> },
  help: string,
  extra: Extra<T> = {},
) {
  return row<T>({ flag, kind: kind as Kind<NonNullable<T>>, help, otherwise }, extra);
}

// oxlint-disable-next-line typescript/no-explicit-any -- a table holds rows of any kind
export type Table = Readonly<Record<string, Row<any>>>;

/** What a caller says: any of the options; absent, undefined and null are all "not said". */
export type Given<T extends Table> = { readonly [K in keyof T]?: ValueOf<T[K]> | null | undefined };

/** Every option with its value. */
export type Settled<T extends Table> = { readonly [K in keyof T]: ValueOf<T[K]> };

type ValueOf<R> = R extends Row<infer T> ? T : never;

/** What speaks where the caller does not, strongest first. */
export interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The settings of a configuration file, already checked; absent: there is none. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Keys that a project's configuration may not decide: thrown where nothing stronger speaks. */
  readonly refused?: Readonly<Record<string, UserError | undefined>>;
}

/**
 * Caller, environment, configuration, default: the first that speaks. Throws a UserError for an unknown name or a value of
 * the wrong kind.
 */
export function settle<T extends Table>(
  table: T,
  given: Given<T>,
  { env, config = {}, refused = {} }: Sources,
): Settled<T> {
  refuseUnknown(table, given);
  const entries = Object.entries(table).map(([name, row]) => {
    const value = said(name, given);
    if (value !== undefined) return [name, checked(name, row, value)];
    const variable = row.env.find((one) => (env[one] ?? "").trim() !== "");
    if (variable !== undefined) return [name, fromVariable(variable, row, env[variable] ?? "")];
    if (row.config === null) return [name, row.otherwise];
    const refusal = refused[row.config];
    if (refusal !== undefined) throw refusal;
    return [name, config[row.config] ?? row.otherwise];
  });
  return Object.fromEntries(entries) as Settled<T>;
}

/** What was settled of this table, where more was. */
export function settledPart<T extends Table>(table: T, settled: Settled<T>): Settled<T> {
  return Object.fromEntries(Object.keys(table).map((name) => [name, settled[name]])) as Settled<T>;
}

/** The rows of these names. */
export function pick<T extends Table, K extends keyof T & string>(table: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, K>;
}

function row<T>(
  head: Pick<Row<T>, "flag" | "kind" | "help" | "otherwise">,
  { env = [], config = null, repeatable = false, preset = null, short = null, blank = "not-said" }: Extra<T>,
): Row<T> {
  return { ...head, env, config, repeatable, preset, short, blank };
}

function refuseUnknown(table: Table, given: Readonly<Record<string, unknown>>): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new UserError("options/invalid", "options must be an object", { hint: "pass {} for the defaults" });
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(table, name));
  if (unknown === undefined) return;
  const near =
    nearest(unknown, Object.keys(table)) ??
    Object.keys(table).find((name) => name.toLowerCase().startsWith(unknown.toLowerCase())) ??
    null;
  throw new UserError("options/unknown", `there is no option ${JSON.stringify(unknown)}`, {
    hint:
      near === null ? `the options are ${Object.keys(table).toSorted().join(", ")}` : `did you mean ${near}?`,
  });
}

/** An option may be a getter, which runs the caller's code. */
function said(name: string, given: Readonly<Record<string, unknown>>): unknown {
  try {
    return given[name] ?? undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new UserError("options/invalid", `option ${name} cannot be read: ${words}`, { cause: error });
  }
}

function checked(name: string, { kind, flag }: Row<unknown>, value: unknown): unknown {
  return refusing(`option ${name}`, value, flag, () => kind.check(value));
}

function fromVariable(variable: string, { kind, flag }: Row<unknown>, value: string): unknown {
  return refusing(`variable ${variable}`, value, flag, () => kind.fromText(value));
}

function refusing(what: string, value: unknown, flag: string | null, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw new UserError("options/invalid", `${what}: ${shown(value)} is invalid. ${error.message}`, {
      ...(flag !== null && { hint: `it takes what ${flag} takes on the command line` }),
      cause: error,
    });
  }
}

function shown(value: unknown): string {
  if (typeof value === "string") return `'${value}'`;
  if (typeof value !== "object" || value === null) return String(value);
  try {
    return JSON.stringify(value) ?? "an object";
  } catch {
    return Array.isArray(value) ? "a list" : "an object";
  }
}
