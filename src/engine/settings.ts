import { dirname, isAbsolute, join } from "node:path";
import type { WantedNetwork } from "../domain/network.ts";
import { type Field, object, optional } from "../lib/shape/object.ts";
import type { Shape, ShapeOutput } from "../lib/shape/shape.ts";
import { bool, int, list, number, oneOf, text } from "../lib/shape/values.ts";
import {
  filesInside,
  inside,
  lowers,
  lowersEach,
  never,
  raises,
  type PolicyRule,
  sets,
  strengthens,
} from "./policy.ts";

/** One key of a configuration file. */
interface Setting<T> {
  readonly value: Shape<T>;
  /** The flag that says the same. */
  readonly flag: string;
  /** What a configuration that was merely found in a project may do with it. */
  readonly project: PolicyRule<T>;
  /** What the docs add. */
  readonly about: string;
  /** Paths in the value, made absolute from the file's directory. */
  readonly from?: (value: T, directory: string) => T;
}

const place = (path: string, directory: string) => (isAbsolute(path) ? path : join(directory, path));

/** Every key, and whose decision it is. The docs show this table. */
export const SETTINGS = {
  harness: setting("--harness", text(), {
    project: sets(),
    about: "one, or several separated by commas; a case's own comes first",
  }),
  model: setting("--model", text(), { project: sets(), about: "one, or several separated by commas" }),
  runs: setting("--runs", int({ min: 1 }), { project: sets(), about: "a case's own comes first" }),
  concurrency: setting("--concurrency", int({ min: 1 }), { project: sets() }),
  timeout: setting("--timeout", number({ min: 1 }), {
    project: sets(),
    about: "seconds; a case's own comes first",
  }),
  reporter: setting("--reporter", list(text()), {
    project: filesInside,
    about: "a list; `NAME=FILE` from this file's directory",
    from: (names, directory) => names.map((name) => fileOf(name, directory)),
  }),
  workspace: setting("--workspace", text(), {
    project: inside,
    about: "where results go, from this file's directory",
    from: place,
  }),
  cassettes: setting("--cassettes", text(), {
    project: inside,
    about: "where recordings are, from this file's directory",
    from: place,
  }),
  allow_missing: setting("--allow-missing", int({ min: 0 }), { project: lowers }),
  min_pass_rate: setting("--min-pass-rate", number({ min: 0, max: 1 }), { project: raises }),
  max_cost: setting("--max-cost", number({ min: 0 }), { project: lowers, about: "US dollars" }),
  max_tokens: setting("--max-tokens", int({ min: 1 }), { project: lowers }),
  grading_provider: setting("--grading-provider", text(), { project: sets() }),
  grading_model: setting("--grading-model", text(), {
    project: sets(),
    about: "comma-separated models form a panel",
  }),
  sandbox: setting("--sandbox", text(), {
    project: strengthens(["none", "unshare", "auto", "sandbox-runtime", "bwrap"], "auto"),
  }),
  limits: setting("--limits", text(), { project: lowersEach, about: "in the form the flag takes" }),
  network: setting("--network", oneOf(["auto", "host", "gateway", "none"]), {
    project: strengthens<WantedNetwork>(["host", "auto", "gateway", "none"], "auto"),
  }),
  allow_host: setting("--allow-host", list(text()), { project: never(), about: "a list of hosts" }),
  url_checks: setting("--url-checks", oneOf(["allowed", "off"]), {
    project: strengthens<"allowed" | "off">(["allowed", "off"], "allowed"),
  }),
  trust: setting("--trust", bool(), { project: strengthens([true, false], false), about: "true or false" }),
  transport: setting("--transport", oneOf(["api", "cli", "auto"]), { project: never() }),
  command: setting("--command", text(), { project: never() }),
  script: setting("--script", text(), {
    project: never(),
    about: "from this file's directory",
    from: place,
  }),
};

type Rows = typeof SETTINGS;
export type SettingKey = keyof Rows;

/** What a configuration says; null where it says nothing. */
export type Settings = { readonly [K in SettingKey]: ShapeOutput<Rows[K]["value"]> | null };

export const NO_SETTINGS = mapped(() => null) as Settings;

/** Reads a whole file. */
export const settingsShape = object(
  mapped(({ value }) => optional(value)) as { readonly [K in SettingKey]: Field<Settings[K]> },
  { unknownKeys: "error" },
);

/** The settings of the file at `path`, with absolute paths. */
export function placed(settings: Settings, path: string): Settings {
  return mapped(({ from }, key) => {
    const value = settings[key];
    return value === null || from === undefined ? value : from(value, dirname(path));
  }) as Settings;
}

/** A value for each key of the table. */
export function mapped(
  value: (row: Setting<unknown>, key: SettingKey) => unknown,
): Record<SettingKey, unknown> {
  const entries = Object.entries(SETTINGS).map(([key, row]) => [
    key,
    value(row as unknown as Setting<unknown>, key as SettingKey),
  ]);
  return Object.fromEntries(entries) as Record<SettingKey, unknown>;
}

function fileOf(name: string, directory: string): string {
  const [head = "", ...rest] = name.split("=");
  return rest.length === 0 ? name : `${head}=${place(rest.join("="), directory)}`;
}

function setting<T>(
  flag: string,
  value: Shape<T>,
  {
    about = "",
    ...rest
  }: { project: PolicyRule<NoInfer<T>>; about?: string; from?: (value: T, at: string) => T },
): Setting<T> {
  return { flag, value, about, ...rest };
}
