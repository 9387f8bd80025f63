import { dirname, join } from "node:path";
import type { Check } from "../../../domain/check.ts";
import { sentenceOf } from "../../../domain/checks/index.ts";
import { type EvalFile, NO_SETTINGS, plainCase } from "../../../domain/suite.ts";
import { INVALID, type ReadContext } from "../../../lib/shape/shape.ts";
import { findBeside } from "../../beside.ts";
import { caseId } from "../../case-id.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { readContext } from "../../read-context.ts";
import { CASE, type SentryCase, type SentryCheck } from "./shape.ts";

/** The one dialect of the format. */
export const DIALECT = "case";

/** One file is one case; its fixture is a folder beside `cases/`. */
export async function loadCase(document: SourceDocument, context: LoadContext): Promise<EvalFile | null> {
  const reading = readContext("sentry-skillet", document, context);
  const read = CASE.read(document.root, reading);
  if (read === INVALID) return null;
  const overlays = await fixtureFolders(read.fixture, document.path, reading);
  if (overlays === null) return null;
  const { setup, trials, timeout } = read;
  return {
    path: document.path,
    format: "sentry-skillet",
    dialect: DIALECT,
    skillName: null,
    description: null,
    cases: [
      {
        ...plainCase({
          id: caseId(document.path, dirname(document.path)),
          declaredId: null,
          kind: "task",
          format: "sentry-skillet",
          at: document.at(document.root.start),
          prompt: { kind: "turns", turns: [read.prompt] },
        }),
        name: read.behavior.trim(),
        overlays,
        setup: setup === null || setup.trim() === "" ? null : setup,
        checks: read.checks.map(toCheck),
        settings: {
          ...NO_SETTINGS,
          timeoutSeconds: timeout,
          variance: trials === null ? null : { runs: trials, minStability: null },
        },
        extras: read.extras,
      },
    ],
    extras: {},
  };
}

/** No folder, or the one that is named; null after a problem was reported. */
async function fixtureFolders(
  fixture: SentryCase["fixture"],
  path: string,
  context: ReadContext,
): Promise<readonly string[] | null> {
  if (fixture === null) return [];
  const fixtures = join(dirname(path), "..", "fixtures");
  const found = await findBeside(fixtures, fixture.value.trim());
  if (found.ok) return [found.path];
  context.report({
    severity: "error",
    offset: fixture.offset,
    code: "bad-fixture",
    message: `fixture ${found.problem}: ${JSON.stringify(fixture.value)}`,
    hint: "name a folder in fixtures/, beside cases/",
  });
  return null;
}

function toCheck(check: SentryCheck, index: number): Check {
  const head = { id: `check-${index + 1}`, appliesTo: "every-variant", origin: null } as const;
  return check.kind === "judge"
    ? { ...head, layer: "L3", kind: "criterion", text: check.text }
    : { ...head, layer: "L1", text: sentenceOf(check), ...check };
}
