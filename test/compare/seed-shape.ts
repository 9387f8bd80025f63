import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SEED = fileURLToPath(new URL("../../../shared/seeds/skill-creator-schemas.txt", import.meta.url));

/** The published schemas are read where they lie beside the project. */
export const hasSeed = existsSync(SEED);

/** What is missing from a file, or of another type, by the example that the published schemas give of it. */
export function seedProblems(name: "comparison.json" | "analysis.json", written: unknown): readonly string[] {
  return problems(exampleOf(name), written, "$");
}

function exampleOf(name: string): unknown {
  const lines = readFileSync(SEED, "utf8").split("\n");
  const heading = lines.findIndex((line) => line.trim() === name);
  const start = lines.indexOf("{", heading);
  const end = lines.findIndex((line, at) => at > start && line.startsWith("}"));
  if (heading === -1 || start === -1 || end === -1) throw new Error(`the schemas have no example of ${name}`);
  return JSON.parse([...lines.slice(start, end), "}"].join("\n")) as unknown;
}

function problems(example: unknown, written: unknown, at: string): readonly string[] {
  if (kindOf(example) !== kindOf(written)) return [`${at} is ${kindOf(written)}, not ${kindOf(example)}`];
  if (Array.isArray(example))
    return (written as unknown[]).flatMap((one, index) => problems(example[0], one, `${at}[${index}]`));
  if (kindOf(example) !== "object") return [];
  const [wanted, found] = [example as Record<string, unknown>, written as Record<string, unknown>];
  // A judge may adapt the criteria to the task; their points are numbers all the same.
  if (/\.(?:content|structure)$/.test(at))
    return Object.entries(found).flatMap(([key, points]) => problems(1, points, `${at}.${key}`));
  return Object.entries(wanted).flatMap(([key, value]) =>
    key in found ? problems(value, found[key], `${at}.${key}`) : [`${at} lacks ${key}`],
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
