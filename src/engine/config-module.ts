import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { UserError } from "../domain/user-error.ts";
import { READABLE_NAMES } from "../load/formats/index.ts";
import { PROVIDER_NAMES } from "../providers/connect.ts";
import { reporters } from "../report/reporters/index.ts";
import { harnesses } from "../run/harnesses/index.ts";
import { fromPlugin, fromPluginLater, type PluginPart } from "./from-plugin.ts";
import { NO_PLUGINS, type Plugins } from "./plugins.ts";

type Part = keyof Plugins;

const PARTS = Object.keys(NO_PLUGINS) as Part[];

/** Names that mean something already. */
const TAKEN: Readonly<Record<Part, readonly string[]>> = {
  harnesses: ["auto", ...harnesses.map(({ name }) => name)],
  graders: [],
  judges: ["auto", ...PROVIDER_NAMES],
  reporters: reporters.map(({ name }) => name),
  formats: READABLE_NAMES,
};

/** Runs a JavaScript configuration that the user named, and parts its settings from what it adds. */
export async function readModule(
  path: string,
): Promise<{ readonly settings: unknown; readonly plugins: Plugins }> {
  const said = await importDefault(path);
  const plugins = Object.fromEntries(PARTS.map((part) => [part, listOf(part, said[part], path)]));
  const settings = Object.fromEntries(Object.entries(said).filter(([name]) => !PARTS.includes(name as Part)));
  return { settings, plugins: plugins as unknown as Plugins };
}

async function importDefault(path: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(path))
    throw new UserError("config/unusable", `the configuration ${path} does not exist`, {
      hint: "check the path after --config; it is relative to the current folder",
    });
  const module = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new UserError("config/unusable", `the configuration ${path} failed to load: ${messageOf(error)}`, {
      hint: "run it with node by itself to see where it fails",
      cause: error,
    });
  });
  const said: unknown = (module as { default?: unknown }).default;
  if (typeof said === "object" && said !== null && !Array.isArray(said))
    return said as Record<string, unknown>;
  throw new UserError(
    "config/unusable",
    `the configuration ${path} does not export an object as its default`,
    {
      hint: "export default { reporters: [...], runs: 3 }",
    },
  );
}

interface Entry {
  readonly name: string;
  readonly create: (...args: unknown[]) => unknown;
}

/** Each must have a name of its own and a `create` (a format: `load`); anything else fails here, not in the middle of a run. */
function listOf(part: Part, value: unknown, path: string): readonly unknown[] {
  if (value === undefined) return [];
  const verb = part === "formats" ? "load" : "create";
  const entries = Array.isArray(value) ? (value as unknown[]) : [];
  if (!Array.isArray(value) || !entries.every((one) => isEntry(one, verb))) {
    const message = `${part} in ${path} must be a list of parts, each with its own name and a function ${verb}`;
    throw badPlugin(message, part, verb);
  }
  const names = entries.map(({ name }) => name);
  const taken = names.find((name, at) => TAKEN[part].includes(name) || names.indexOf(name) !== at);
  if (taken !== undefined)
    throw badPlugin(`${part} in ${path}: the name ${JSON.stringify(taken)} is taken`, part, verb);
  return part === "formats" ? entries : entries.map((one) => guarded(part, one as Entry));
}

function isEntry(one: unknown, verb: string): one is { readonly name: string } {
  const { name, [verb]: method } = (one ?? {}) as Record<string, unknown>;
  return typeof name === "string" && name !== "" && typeof method === "function";
}

const KINDS: Readonly<Record<Part, PluginPart["kind"]>> = {
  harnesses: "harness",
  graders: "grader",
  judges: "judge",
  reporters: "reporter",
  formats: "format",
};

/** What goes wrong in it is told as the plug-in's, not as ours. */
function guarded(part: Part, entry: Entry): Entry {
  const plugin = { kind: KINDS[part], name: entry.name };
  return {
    ...entry,
    create(...args) {
      const made = fromPlugin(plugin, () => entry.create(...args));
      return made instanceof Promise ? fromPluginLater(plugin, () => made) : made;
    },
  };
}

function badPlugin(message: string, part: Part, verb: string): UserError {
  return new UserError("config/bad-plugin", message, {
    hint: `docs/extend/ shows one: ${part}: [{ name: "mine", help: "...", ${verb}: () => ... }]`,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
