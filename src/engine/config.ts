import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { UserError } from "../domain/user-error.ts";
import { object, optional } from "../lib/shape/object.ts";
import { INVALID, ROOT, type ShapeOutput } from "../lib/shape/shape.ts";
import { int, list, number, oneOf, text } from "../lib/shape/values.ts";
import { parseDocument, readDocument } from "../load/document.ts";
import { CONFIG_FILES, findProjectRoot } from "../load/project-root.ts";
import type { Machine } from "../machine.ts";
import { NO_PLUGINS, type Plugins } from "./plugins.ts";

/** What a project says once for all runs; flags, environment and eval files come first. */
const settingsShape = object(
  {
    harness: optional(text()),
    model: optional(text()),
    runs: optional(int({ min: 1 })),
    concurrency: optional(int({ min: 1 })),
    timeout: optional(number({ min: 1 })),
    sandbox: optional(text()),
    workspace: optional(text()),
    reporter: optional(list(text())),
    allow_missing: optional(int({ min: 0 })),
    min_pass_rate: optional(number({ min: 0, max: 1 })),
    max_cost: optional(number({ min: 0 })),
    max_tokens: optional(int({ min: 1 })),
    grading_provider: optional(text()),
    grading_model: optional(text()),
    transport: optional(oneOf(["api", "cli", "auto"])),
  },
  { unknownKeys: "error" },
);

export type Settings = Omit<ShapeOutput<typeof settingsShape>, "extras">;

export interface Config {
  readonly settings: Settings;
  /** What a JavaScript configuration adds to the built-in parts. */
  readonly plugins: Plugins;
}

/**
 * The file that was named, else `assay.config.json` or `.yaml` of the project. JavaScript runs only when it is named: a
 * project under test must not set policy by itself.
 */
export async function readConfig(named: string | null, machine: Machine): Promise<Config> {
  const path = named === null ? found(machine) : resolve(machine.cwd, named);
  if (path === null) return NO_CONFIG;
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
    throw new UserError("config/invalid", `a setting in ${path} is no plain value: ${words}`, {
      hint: "docs/configuration.md lists every key and what it takes",
      cause: error,
    });
  }
}

function found({ cwd, home }: Machine): string | null {
  const root = findProjectRoot(cwd, home) ?? cwd;
  return CONFIG_FILES.map((name) => join(root, name)).find((path) => existsSync(path)) ?? null;
}

async function fromFile(path: string): Promise<Settings> {
  const problems: Diagnostic[] = [];
  const document = await readDocument(path, (problem) => void problems.push(problem));
  return checked(path, document, problems);
}

function fromText(path: string, name: string, json: string): Settings {
  const problems: Diagnostic[] = [];
  const document = parseDocument(name, json, (problem) => void problems.push(problem));
  return checked(path, document, problems);
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
  if (settings !== INVALID)
    return { ...settings, workspace: settings.workspace && resolve(dirname(path), settings.workspace) };
  throw new UserError("config/invalid", `the configuration ${path} cannot be used`, {
    hint: "fix the errors above; docs/configuration.md lists every key",
    diagnostics: problems,
  });
}

export const NO_CONFIG: Config = {
  settings: {
    harness: null,
    model: null,
    runs: null,
    concurrency: null,
    timeout: null,
    sandbox: null,
    workspace: null,
    reporter: null,
    allow_missing: null,
    min_pass_rate: null,
    max_cost: null,
    max_tokens: null,
    grading_provider: null,
    grading_model: null,
    transport: null,
  },
  plugins: NO_PLUGINS,
};
