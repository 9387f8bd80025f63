import type { Check, Claim } from "../../../domain/check.ts";
import { sentenceOf } from "../../../domain/checks/index.ts";
import type { JsonObject } from "../../../domain/json.ts";
import { type EvalFile, plainCase } from "../../../domain/suite.ts";
import { INVALID } from "../../../lib/shape/shape.ts";
import { applyAssayKey } from "../../apply-assay-key.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { readContext } from "../../read-context.ts";
import { caseId } from "../../case-id.ts";
import { type Assertion, EVAL, type SkilletEval } from "./shape.ts";

/** The one dialect of the format. */
export const DIALECT = "eval";

/** One file is one case. */
export function loadEval(document: SourceDocument, context: LoadContext): EvalFile | null {
  const reading = readContext("skillet", document, context);
  const read = EVAL.read(document.root, reading);
  if (read === INVALID) return null;
  const own = {
    ...plainCase({
      id: caseId(document.path, context.evalsDirectory ?? null),
      declaredId: null,
      kind: "task",
      format: "skillet",
      at: document.at(document.root.start),
      prompt: { kind: "turns", turns: read.prompt },
    }),
    name: read.name,
    setup: script(read.setup),
    teardown: script(read.teardown),
    checks: [expectedCheck(read.expected), ...read.assertions.map(assertionCheck)],
    extras: keptKeys(read),
  };
  const evalCase = applyAssayKey(own, { own: read.assay }, reading.report);
  if (evalCase === null) return null;
  return {
    path: document.path,
    format: "skillet",
    dialect: DIALECT,
    skillName: null,
    description: null,
    cases: [evalCase],
    extras: {},
  };
}

/** A blank script does nothing, so there is none to trust or to run. */
function script(written: string | null): string | null {
  return written === null || written.trim() === "" ? null : written;
}

function expectedCheck(expected: string): Check {
  return {
    id: "expected",
    layer: "L3",
    text: expected,
    appliesTo: "every-variant",
    origin: null,
    kind: "criterion",
  };
}

/** The tool compares texts without regard to case; only `regex` keeps it. */
function assertionCheck(assertion: Assertion, index: number): Check {
  const claim = assertionClaim(assertion);
  return {
    id: `assertion-${index + 1}`,
    layer: "L1",
    text: sentenceOf(claim),
    appliesTo: "every-variant",
    origin: assertion.origin,
    ...claim,
  };
}

function assertionClaim({ type, value }: Assertion): Claim {
  switch (type) {
    case "regex":
      return { kind: "regex", pattern: value };
    case "tool_called":
      return { kind: "tool_called", tool: value, arguments: null, count: 1 };
    case "tool_not_called":
      return { kind: "tool_not_called", tool: value, arguments: null };
    default:
      return { kind: type, needle: value, ignoreCase: true };
  }
}

/** What a case has no field for, under the file's own keys. */
function keptKeys(read: SkilletEval): JsonObject {
  return {
    timestamp: read.timestamp,
    ...(read.actual === null ? {} : { actual: read.actual }),
    ...(read.domain === null ? {} : { domain: read.domain }),
    ...(read.schema_version === null ? {} : { schema_version: read.schema_version }),
    ...read.extras,
  };
}
