import type { JsonObject } from "../../../domain/json.ts";
import { entryOf, toPlain } from "../../../lib/document/node.ts";
import type { ShapeOutput } from "../../../lib/shape/shape.ts";
import type { Placed, Reading } from "./places.ts";
import type { CONFIG } from "./shape.ts";
import { leftOfTest, type ReadTest } from "./tests.ts";

/** Tells what the configuration says about running; it is kept under its names. */
export function tellConfig(
  root: Placed,
  read: ShapeOutput<typeof CONFIG>,
  { unmapped }: Reading,
): JsonObject {
  const options = Object.entries(read.evaluateOptions?.extras ?? {}).filter(([key]) => key !== "repeat");
  const left: JsonObject = {
    ...read.extras,
    ...(read.scenarios === null ? {} : { scenarios: toPlain(read.scenarios) }),
    ...(options.length === 0 ? {} : { evaluateOptions: Object.fromEntries(options) }),
  };
  for (const field of Object.keys(left)) {
    if (field.startsWith("_") || field === "$schema") continue;
    const { why, hint } = REASONS[field] ?? { why: "is not used" };
    const offset = entryOf(root.node, field)?.keySpan.start ?? root.node.start;
    unmapped.add({ field, why, at: root.document.at(offset), ...(hint !== undefined && { hint }) });
  }
  return left;
}

/** Tells what a test says beyond its prompt and its assertions. */
export function tellTest(test: ReadTest, { unmapped }: Reading): void {
  const { node, document } = test.placed;
  for (const field of Object.keys(leftOfTest(test))) {
    if (field === "metadata" || field.startsWith("_")) continue;
    const offset = entryOf(node, field)?.keySpan.start ?? node.start;
    const why = field === "threshold" ? "is not used: every check must pass" : "is not used";
    unmapped.add({ field: `${field} of a test`, why, at: document.at(offset) });
  }
}

const REASONS: Readonly<Record<string, { readonly why: string; readonly hint?: string }>> = {
  providers: { why: "is not used: agents run the prompts", hint: "choose them with --harness and --model" },
  targets: { why: "is not used: agents run the prompts", hint: "choose them with --harness and --model" },
  scenarios: { why: "is not carried over", hint: "write its tests into tests" },
  evaluateOptions: { why: "is not used, but for repeat", hint: "pass --concurrency, --timeout or --runs" },
  outputPath: { why: "is not used", hint: "pass --reporter" },
  env: { why: "is not passed to the agent" },
  extensions: { why: "is not run: Assay runs no code of an eval file" },
  nunjucksFilters: { why: "is not run: Assay runs no code of an eval file" },
  redteam: { why: "is not carried over: Assay makes no attacks" },
};
