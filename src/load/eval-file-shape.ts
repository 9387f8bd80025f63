import type { Location } from "../domain/diagnostic.ts";
import type { JsonObject } from "../domain/json.ts";
import {
  type Case,
  type CaseSettings,
  type EvalFile,
  type Fixture,
  NO_SETTINGS,
  type OutputSource,
  type Prompt,
  type Reference,
} from "../domain/suite.ts";
import { fileNameProblem } from "../lib/file-name.ts";
import { optionalOrNull, required } from "../lib/shape/object.ts";
import { fields } from "../lib/shape/read-plain.ts";
import { invalid, pathText, type Shape } from "../lib/shape/shape.ts";
import { tagged } from "../lib/shape/tagged.ts";
import { anything, bool, int, list, number, oneOf, record, refine, text } from "../lib/shape/values.ts";
import { workspacePath } from "./assay-shapes.ts";
import { checkShape, SECTION_FIELD } from "./check-shape.ts";
import type { SourceDocument } from "./format.ts";
import { plainCase } from "../domain/suite.ts";
import { withExtras } from "./with-extras.ts";

const words = () => text({ blank: "allowed" });
const OBJECT: Shape<JsonObject> = record(anything());

export const LOCATION: Shape<Location> = fields({
  file: required(text()),
  line: required(int({ min: 1 })),
  column: required(int({ min: 1 })),
});

/** What a format of the user's own may answer about a file; inside, every field is present. */
export function evalFileShape(document: SourceDocument, format: string): Shape<EvalFile> {
  const shape = withExtras({
    dialect: required(text()),
    skillName: optionalOrNull(words()),
    description: optionalOrNull(words()),
    cases: required(list(caseShape(document, format))),
  });
  return refine(shape, (said) => ({ path: document.path, format, ...said }));
}

function caseShape(document: SourceDocument, format: string): Shape<Case> {
  const at = document.at(document.root.start);
  const prompt: Prompt = { kind: "turns", turns: [] };
  const plain = plainCase({ id: "", declaredId: null, kind: "task", format, at, prompt });
  const shape = withExtras({
    id: required(CASE_ID),
    declaredId: optionalOrNull(DECLARED_ID),
    name: optionalOrNull(words()),
    kind: required(oneOf(["task", "trigger"])),
    at: optionalOrNull(LOCATION, at),
    prompt: required(PROMPT),
    expectedOutput: optionalOrNull(words()),
    files: optionalOrNull(list(FIXTURE), plain.files),
    overlays: optionalOrNull(list(text()), plain.overlays),
    output: optionalOrNull(OUTPUT, plain.output),
    setup: optionalOrNull(text()),
    teardown: optionalOrNull(text()),
    sections: optionalOrNull(list(SECTION), plain.sections),
    checks: required(distinct(list(checkShape()))),
    settings: optionalOrNull(SETTINGS, NO_SETTINGS),
    reference: optionalOrNull(REFERENCE),
    mcpServers: optionalOrNull(OBJECT),
  });
  return refine(shape, (said): Case => ({ ...plain, ...said }));
}

/** It names a folder of results, as the ids of every format do. */
const CASE_ID = refine(text(), (id, context, node) => {
  const problem = fileNameProblem(id);
  if (problem === null) return id;
  return invalid(context, node, {
    code: "bad-id",
    message: `${pathText(context.path)} ${problem}: ${JSON.stringify(id)}`,
    hint: "an id names a directory of results; use letters, digits and dashes",
  });
});

const DECLARED_ID: Shape<string | number> = {
  schema: {},
  read: (node, context) => (node.kind === "int" ? node.value : words().read(node, context)),
};

const PROMPT = tagged<Prompt>("kind", {
  turns: fields({ kind: required(oneOf(["turns"])), turns: required(list(words(), { minLength: 1 })) }),
  invocation: fields({ kind: required(oneOf(["invocation"])), args: required(words()) }),
});

const FIXTURE = tagged<Fixture>("kind", {
  path: fields({
    kind: required(oneOf(["path"])),
    declared: required(words()),
    source: optionalOrNull(text()),
    target: required(workspacePath()),
    problem: optionalOrNull(words()),
  }),
  inline: fields({
    kind: required(oneOf(["inline"])),
    target: required(workspacePath()),
    content: required(words()),
  }),
});

const OUTPUT = tagged<OutputSource>("kind", {
  messages: fields({ kind: required(oneOf(["messages"])) }),
  files: fields({
    kind: required(oneOf(["files"])),
    file: optionalOrNull(workspacePath()),
    patterns: required(list(workspacePath())),
  }),
});

const SECTION = withExtras({
  name: required(text()),
  tiers: required(
    list(
      withExtras({
        label: required(text()),
        description: optionalOrNull(words()),
        minEntries: optionalOrNull(int({ min: 0 })),
        maxEntries: optionalOrNull(int({ min: 0 })),
        fields: required(list(SECTION_FIELD)),
      }),
    ),
  ),
});

const share = () => optionalOrNull(number({ min: 0, max: 1 }));

const SETTINGS: Shape<CaseSettings> = fields({
  timeoutSeconds: optionalOrNull(number({ min: 1 })),
  harness: optionalOrNull(oneOf(["claude-code", "codex", "auto"])),
  transport: optionalOrNull(oneOf(["api", "cli", "auto"])),
  gradingProvider: optionalOrNull(oneOf(["anthropic", "openai", "auto"])),
  gradingModel: optionalOrNull(text()),
  gradeThresholds: optionalOrNull(fields({ minPassRate: share(), minMeanScore: share() })),
  variance: optionalOrNull(fields({ runs: optionalOrNull(int({ min: 1 })), minStability: share() })),
  syncTasks: optionalOrNull(bool()),
  allowHangHeuristic: optionalOrNull(bool()),
  systemPrompt: optionalOrNull(words()),
  userPrompt: optionalOrNull(words()),
});

const REFERENCE: Shape<Reference> = fields({
  output: optionalOrNull(words()),
  files: optionalOrNull(
    refine(record(words()), (files, context, node) => {
      const paths = list(workspacePath());
      const names = Object.keys(files).map((value) => ({ ...node, kind: "string" as const, value }));
      const read = paths.read({ ...node, kind: "array", elements: names }, context);
      return typeof read === "symbol" ? read : files;
    }),
    {},
  ),
});

/** Checks are told apart by their ids. */
function distinct<T extends { readonly id: string }>(shape: Shape<readonly T[]>): Shape<readonly T[]> {
  return refine(shape, (all, context, node) => {
    const twice = all.find(({ id }, at) => all.findIndex((one) => one.id === id) !== at);
    if (twice === undefined) return all;
    const message = `${pathText(context.path)} has two checks with the id ${JSON.stringify(twice.id)}`;
    return invalid(context, node, { code: "same-id", message });
  });
}
