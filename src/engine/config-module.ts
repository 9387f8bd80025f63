import { pathToFileURL } from "node:url";
import { UserError } from "../domain/user-error.ts";
import { NO_PLUGINS, type Plugins } from "./plugins.ts";

const PARTS = Object.keys(NO_PLUGINS) as (keyof Plugins)[];

/** Runs a JavaScript configuration that the user named, and parts its settings from what it adds. */
export async function readModule(
  path: string,
): Promise<{ readonly settings: unknown; readonly plugins: Plugins }> {
  const said = await importDefault(path);
  const plugins = Object.fromEntries(PARTS.map((part) => [part, listOf(part, said[part], path)]));
  const settings = Object.fromEntries(
    Object.entries(said).filter(([name]) => !PARTS.includes(name as keyof Plugins)),
  );
  return { settings, plugins: plugins as unknown as Plugins };
}

async function importDefault(path: string): Promise<Readonly<Record<string, unknown>>> {
  const module = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new UserError("config/unusable", `the configuration ${path} failed to load: ${messageOf(error)}`, {
      hint: "run it with node by itself to see where it fails",
      cause: error,
    });
  });
  const said: unknown = (module as { default?: unknown }).default ?? {};
  if (typeof said === "object" && said !== null && !Array.isArray(said))
    return said as Record<string, unknown>;
  throw new UserError("config/unusable", `the configuration ${path} exports no object as its default`, {
    hint: "export default { reporters: [...], runs: 3 }",
  });
}

/** Each must have a name of its own and a `create` (a format: `load`); anything else fails here, not in the middle of a run. */
function listOf(part: keyof Plugins, value: unknown, path: string): readonly unknown[] {
  if (value === undefined) return [];
  const verb = part === "formats" ? "load" : "create";
  const isPart = (one: unknown): boolean => {
    const { name, [verb]: method } = (one ?? {}) as Record<string, unknown>;
    return typeof name === "string" && name !== "" && typeof method === "function";
  };
  const names = Array.isArray(value) ? value.map((one: { name?: unknown } | null) => one?.name) : [];
  if (Array.isArray(value) && value.every(isPart) && new Set(names).size === names.length) return value;
  throw new UserError(
    "config/bad-plugin",
    `${part} in ${path} must be a list of parts, each with a name of its own and a function ${verb}`,
    { hint: `docs/extend/ shows one: ${part}: [{ name: "mine", help: "...", ${verb}: () => ... }]` },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
