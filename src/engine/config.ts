import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { UserError } from "../domain/user-error.ts";
import { INVALID, ROOT } from "../lib/shape/shape.ts";
import { parseDocument, readDocument } from "../load/document.ts";
import { CONFIG_FILES, findProjectRoot } from "../load/project-root.ts";
import type { Machine } from "../machine.ts";
import { NO_PLUGINS, type Plugins } from "./plugins.ts";
import { mapped, NO_SETTINGS, placed, type SettingKey, type Settings, settingsShape } from "./settings.ts";
import { userConfigFolder } from "./user-folders.ts";

export type { Settings } from "./settings.ts";

/** What is configured for all runs; flags, environment and eval files come first. */
export interface Config {
  readonly settings: Settings;
  /** What the project's file says that only the user may decide: thrown where nothing stronger decides it. */
  readonly refused: Readonly<Partial<Record<SettingKey, UserError>>>;
  /** What a JavaScript configuration adds to the built-in parts. */
  readonly plugins: Plugins;
}

export const NO_CONFIG: Config = { settings: NO_SETTINGS, refused: {}, plugins: NO_PLUGINS };

/**
 * The user's own configuration, and over it the file that was named, else the one of the project as far as policy lets it.
 * JavaScript runs only when it is named.
 */
export async function readConfig(named: string | null, machine: Machine): Promise<Config> {
  const userFile = firstOf(userConfigFolder(machine), USER_FILES);
  const own = userFile === null ? NO_SETTINGS : await fromFile(userFile);
  if (named === null) return withProject(own, machine);
  const path = resolve(machine.cwd, named);
  const { settings, plugins } = await fromNamed(path);
  return { settings: over(own, settings), refused: {}, plugins };
}

/** What was configured; throws where the project's file says what it may not. */
export function configured<K extends SettingKey>({ settings, refused }: Config, key: K): Settings[K] {
  const error = refused[key];
  if (error !== undefined) throw error;
  return settings[key];
}

const USER_FILES = ["config.json", "config.yaml"];

function firstOf(folder: string, names: readonly string[]): string | null {
  return names.map((name) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

async function fromNamed(path: string): Promise<Pick<Config, "settings" | "plugins">> {
  if (!/\.[cm]?js$/.test(path)) return { settings: await fromFile(path), plugins: NO_PLUGINS };
  const { readModule } = await import("./config-module.ts");
  const { plugins, settings } = await readModule(path);
  return { settings: fromText(path, `${path}.json`, jsonOf(settings, path)), plugins };
}

/** What has no JSON form is refused, and not left out in silence. */
function jsonOf(settings: unknown, path: string): string {
  try {
    return JSON.stringify(settings, (key, value: unknown) => {
      if (typeof value !== "function" && typeof value !== "symbol") return value;
      throw new TypeError(`${key} is a ${typeof value}`);
    });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new UserError("config/invalid", `a setting in ${path} is not a plain value: ${words}`, {
      hint: "docs/configuration.md lists every key and what it takes",
      cause: error,
    });
  }
}

function over(below: Settings, above: Settings): Settings {
  return mapped((_, key) => above[key] ?? below[key]) as Settings;
}

/** What the project says where it may, else what the user says. */
async function withProject(own: Settings, machine: Machine): Promise<Config> {
  const path = firstOf(findProjectRoot(machine.cwd, machine.home) ?? machine.cwd, CONFIG_FILES);
  if (path === null) return { ...NO_CONFIG, settings: own };
  const project = await fromFile(path);
  const refused: Partial<Record<SettingKey, UserError>> = {};
  const settings = mapped((row, key) => {
    const said = project[key];
    if (said === null) return own[key];
    const held = row.project.held({ project: said, own: own[key], root: dirname(path) });
    if ("value" in held) return held.value;
    refused[key] = refusal({ path, key, flag: row.flag, said, why: held.why }, machine);
    return own[key];
  });
  return { settings: settings as Settings, refused, plugins: NO_PLUGINS };
}

function refusal(
  { path, key, flag, said, why }: { path: string; key: string; flag: string; said: unknown; why: string },
  machine: Machine,
): UserError {
  const value = Array.isArray(said) ? said.join(",") : String(said);
  const own = fromHome(join(userConfigFolder(machine), "config.json"), machine);
  const call = said === true ? flag : `${flag} ${value}`;
  return new UserError("config/not-yours", `${basename(path)} sets ${key}: ${value}, ${why}`, {
    hint: `if you want that, use ${call}, or set it in ${own}`,
  });
}

function fromHome(path: string, { home }: Machine): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

async function fromFile(path: string): Promise<Settings> {
  const problems: Diagnostic[] = [];
  const document = await readDocument(path, (problem) => void problems.push(problem));
  return checked(path, document, problems);
}

function fromText(path: string, name: string, json: string): Settings {
  const problems: Diagnostic[] = [];
  const document = parseDocument(name, json, (problem) => void problems.push(problem));
  // The module has no lines of its own settings.
  const at = { file: path, line: 1, column: 1 };
  return checked(path, document && { ...document, at: () => at }, problems);
}

function checked(path: string, document: ReturnType<typeof parseDocument>, problems: Diagnostic[]): Settings {
  const settings =
    document === null
      ? INVALID
      : settingsShape.read(document.root, {
          path: ROOT,
          report: ({ severity, code, message, offset, hint }) =>
            void problems.push({
              severity,
              code: `config/${code}`,
              message,
              at: document.at(offset),
              hint: hint ?? null,
            }),
        });
  if (settings !== INVALID) return placed(settings, path);
  throw new UserError("config/invalid", `the configuration ${path} cannot be used`, {
    hint: "fix the errors above; docs/configuration.md lists every key",
    diagnostics: problems,
  });
}
