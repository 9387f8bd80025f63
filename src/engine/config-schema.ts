import type { JsonSchema } from "../lib/shape/shape.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { RUN } from "../options/run.ts";
import { mapped, settingsShape } from "./settings.ts";

/** A configuration file: what the reader itself goes by, in the words of the flags that say the same. */
export function configSchema(): JsonSchema {
  const { properties, ...shape } = settingsShape.schema as JsonSchema & {
    readonly properties: Readonly<Record<string, JsonSchema>>;
  };
  const helpOf = new Map(
    Object.values({ ...RUN, ...MODELS, ...CASSETTES }).map(({ flag, help }) => [flagName(flag), help]),
  );
  const described = mapped(({ flag, about, project }, key) => ({
    description: [helpOf.get(flag), about, `A project's file may ${project.may}.`]
      .filter((part) => part !== undefined && part !== "")
      .join(". ")
      .replaceAll("`", ""),
    ...properties[key],
  }));
  return { ...shape, properties: { $schema: { type: "string" }, ...described } } as JsonSchema;
}

/** `--runs` of `--runs <n>`. */
function flagName(flag: string | null): string {
  return flag?.split(" ")[0] ?? "";
}
