import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SEED = fileURLToPath(new URL("../../../shared/seeds/skill-creator-schemas.txt", import.meta.url));

export const hasSeed = existsSync(SEED);

/** The first JSON that follows the file's name in skill-creator's description of its files. */
export function seedExample(name: string): unknown {
  const text = readFileSync(SEED, "utf8");
  const from = text.indexOf("\n{", text.indexOf(`\n${name}\n`));
  return JSON.parse(text.slice(from, text.indexOf("\n}", from) + 2)) as unknown;
}

/** Places where a key of the example is missing or its value is of another kind; of a list, in each entry. */
export function differences(found: unknown, example: unknown, path = "$"): readonly string[] {
  const isList = Array.isArray(example);
  if (isList !== Array.isArray(found)) return [path];
  if (isList)
    return (found as unknown[]).flatMap((entry, index) =>
      differences(entry, example[0], `${path}[${index}]`),
    );
  if (example === null || found === null) return [];
  if (typeof example !== typeof found) return [path];
  if (typeof example !== "object") return [];
  const own = found as Readonly<Record<string, unknown>>;
  return Object.entries(example).flatMap(([key, value]) =>
    key in own ? differences(own[key], value, `${path}.${key}`) : [`${path}.${key}`],
  );
}
