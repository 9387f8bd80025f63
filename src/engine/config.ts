import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { UserError } from "../domain/user-error.ts";
import { object, optional } from "../lib/shape/object.ts";
import { INVALID, ROOT, type ShapeOutput } from "../lib/shape/shape.ts";
import { int, list, number, oneOf, text } from "../lib/shape/values.ts";
import { parseDocument, readDocument } from "../load/document.ts";
import { CONFIG_FILES, findProjectRoot } from "../load/project-root.ts";
import { textOption } from "../cli/options/targets.ts";
import type { Terminal } from "../cli/terminal.ts";

/** What a project says once for all runs; flags, environment and eval files come first. */
const configShape = object(
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

export type Config = Omit<ShapeOutput<typeof configShape>, "extras">;

/**
 * `--config FILE`, else `assay.config.json` or `.yaml` of the project. JavaScript runs only when it is named: a project under
 * test must not set policy by itself.
 */
export async function readConfig(named: unknown, terminal: Terminal): Promise<Config> {
  const path = textOption(named) === null ? found(terminal) : resolve(terminal.cwd, String(named));
  if (path === null) return NOTHING_SAID;
  return /\.[cm]?js$/.test(path) ? fromModule(path) : fromFile(path);
}

/** What `parse.ts` read; nothing for commands without `--config`. */
export function configuredBy(options: Readonly<Record<string, unknown>>): Config {
  return (options["configured"] as Config | undefined) ?? NOTHING_SAID;
}

function found({ cwd, env }: Terminal): string | null {
  const root = findProjectRoot(cwd, env["HOME"] ?? null) ?? cwd;
  return CONFIG_FILES.map((name) => join(root, name)).find((path) => existsSync(path)) ?? null;
}

async function fromFile(path: string): Promise<Config> {
  const problems: Diagnostic[] = [];
  const document = await readDocument(path, (problem) => void problems.push(problem));
  return checked(path, document, problems);
}

async function fromModule(path: string): Promise<Config> {
  const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
  const problems: Diagnostic[] = [];
  const document = parseDocument(
    `${path}.json`,
    JSON.stringify(module.default ?? {}),
    (problem) => void problems.push(problem),
  );
  return checked(path, document, problems);
}

function checked(path: string, document: ReturnType<typeof parseDocument>, problems: Diagnostic[]): Config {
  const config =
    document === null
      ? INVALID
      : configShape.read(document.root, {
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
  if (config !== INVALID)
    return { ...config, workspace: config.workspace && resolve(dirname(path), config.workspace) };
  throw new UserError("config/invalid", `the configuration ${path} cannot be used`, {
    hint: "put right what is listed above; docs/configuration.md lists every key",
    diagnostics: problems,
  });
}

const NOTHING_SAID: Config = {
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
};
