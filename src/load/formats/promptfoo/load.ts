import type { Json } from "../../../domain/json.ts";
import { type Case, type EvalFile, NO_SETTINGS, plainCase } from "../../../domain/suite.ts";
import { INVALID } from "../../../lib/shape/shape.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { readChecks } from "./checks.ts";
import { Reading } from "./places.ts";
import { type PromptTemplate, readPrompts } from "./prompts.ts";
import { render, type Vars } from "./render.ts";
import { CONFIG } from "./shape.ts";
import { leftOfTest, type ReadTest, readTest, readTests } from "./tests.ts";
import { tellConfig, tellTest } from "./unmapped.ts";
import { combinations, MOST_COMBINATIONS, placedAt } from "./vars.ts";

/** The one dialect of the format. */
export const DIALECT = "config";

/** A case for each prompt, test and combination of variables. */
export async function loadConfig(document: SourceDocument, context: LoadContext): Promise<EvalFile | null> {
  const reading = new Reading(document, context);
  const root = { node: document.root, document };
  const read = CONFIG.read(document.root, reading.context(root));
  if (read === INVALID) return null;
  if (read.prompts === null && read.tests === null) {
    const hint = "add prompts, and tests with their variables";
    return reading.refuse(
      document.at(document.root.start),
      "no-prompt",
      "there are no prompts and no tests",
      hint,
    );
  }
  const prompts =
    read.prompts === null ? [bare(root)] : await readPrompts({ node: read.prompts, document }, reading);
  const preset = placedAt(root, "defaultTest");
  const defaults = preset === null ? null : await readDefaults(preset, reading);
  if (preset !== null && defaults === null) return null;
  const tests = await readTests(placedAt(root, "tests"), { defaults, reading, way: [document.path] });
  if (prompts === null || tests === null) return null;
  const all = tests.length > 0 ? tests : [defaults ?? emptyTest(root)];
  const cases: Case[] = [];
  for (const [index, test] of all.entries()) {
    tellTest(test, reading);
    const made = await casesOf(test, { index, prompts, reading });
    if (made === null) return null;
    cases.push(...made);
  }
  if (cases.length > MOST_COMBINATIONS) return tooMany(root, reading);
  const extras = tellConfig(root, read, reading);
  if (reading.refused) return null;
  reading.unmapped.end();
  return {
    path: document.path,
    format: "promptfoo",
    dialect: DIALECT,
    skillName: null,
    description: read.description === null || read.description.trim() === "" ? null : read.description,
    cases: withRepeat(cases, read.evaluateOptions?.extras["repeat"] ?? null),
    extras,
  };
}

/** What promptfoo sends where a configuration names no prompt. */
function bare(placed: ReadTest["placed"]): PromptTemplate {
  return { label: "prompt", template: "{{prompt}}", placed };
}

async function readDefaults(placed: ReadTest["placed"], reading: Reading): Promise<ReadTest | null> {
  if (placed.node.kind !== "string") return readTest(placed, { defaults: null, reading });
  const file = await reading.parsed(placed.node.value, placed, [placed.document.path]);
  return file === null ? null : readTest({ node: file.root, document: file }, { defaults: null, reading });
}

/** A configuration without tests sends its prompts as they are. */
function emptyTest(placed: ReadTest["placed"]): ReadTest {
  const said = {
    description: null,
    vars: null,
    assert: [],
    threshold: null,
    options: null,
    prompts: null,
    metadata: null,
  };
  return { said: { ...said, extras: {} }, placed, vars: {}, asserts: [] };
}

async function casesOf(
  test: ReadTest,
  { index, prompts, reading }: { index: number; prompts: readonly PromptTemplate[]; reading: Reading },
): Promise<readonly Case[] | null> {
  const wanted = test.said.prompts;
  const used = wanted === null ? prompts : prompts.filter(({ label }) => wanted.includes(label));
  const { document, node } = test.placed;
  const at = document.at(node.start);
  if (used.length === 0)
    return reading.refuse(
      at,
      "no-prompt",
      `no prompt is called ${wanted?.join(" or ")}`,
      "name a prompt by its label",
    );
  const expands = test.said.options?.extras["disableVarExpansion"] !== true;
  const rows = expands ? combinations(test.vars) : [test.vars];
  if (rows === null || rows.length * used.length > MOST_COMBINATIONS) return tooMany(test.placed, reading);
  const cases: Case[] = [];
  for (const [promptIndex, prompt] of used.entries()) {
    for (const [row, vars] of rows.entries()) {
      const parts = [
        `test-${index + 1}`,
        ...(prompts.length > 1 ? [`prompt-${prompts.indexOf(used[promptIndex] ?? prompt) + 1}`] : []),
        ...(rows.length > 1 ? [`row-${row + 1}`] : []),
      ];
      cases.push(await toCase(parts.join("-"), { test, prompt, vars, reading }));
    }
  }
  return cases;
}

async function toCase(
  id: string,
  { test, prompt, vars, reading }: { test: ReadTest; prompt: PromptTemplate; vars: Vars; reading: Reading },
): Promise<Case> {
  const { said, placed } = test;
  const at = placed.document.at(placed.node.start);
  const { prefix = "", suffix = "" } = (said.options?.extras ?? {}) as { prefix?: Json; suffix?: Json };
  const { checks, left } = await readChecks(test.asserts, vars, reading);
  const { description } = said;
  return {
    ...plainCase({
      id,
      declaredId: null,
      kind: "task",
      format: "promptfoo",
      at,
      prompt: {
        kind: "turns",
        turns: [rendered(`${text(prefix)}${prompt.template}${text(suffix)}`, prompt, vars, reading)],
      },
    }),
    name: description === null || description.trim() === "" ? null : description.trim(),
    checks,
    extras: { ...leftOfTest(test), ...(left.length > 0 && { assert: left }) },
  };
}

function text(value: Json): string {
  return typeof value === "string" ? value : "";
}

function rendered(template: string, { placed }: PromptTemplate, vars: Vars, reading: Reading): string {
  const { text: made, unknown, beyond } = render(template, vars);
  const at = placed.document.at(placed.node.start);
  if (beyond !== null) {
    const shown = beyond.length > 40 ? `${beyond.slice(0, 37)}...` : beyond;
    reading.refuse(
      at,
      "template",
      `the prompt uses ${shown}, which is not evaluated`,
      "only {{names}} of variables are filled in",
    );
  }
  for (const name of unknown) {
    reading.unmapped.add({ field: `{{${name}}}`, why: "has no value, so nothing is sent in its place", at });
  }
  if (made.trim() === "")
    reading.refuse(at, "no-prompt", "the prompt is empty once its variables are filled in");
  return made.trim();
}

function tooMany({ node, document }: ReadTest["placed"], reading: Reading): null {
  const message = `this makes more than ${MOST_COMBINATIONS} cases`;
  return reading.refuse(
    document.at(node.start),
    "too-many-cases",
    message,
    "use fewer values or fewer prompts",
  );
}

function withRepeat(cases: readonly Case[], repeat: Json): readonly Case[] {
  if (typeof repeat !== "number" || !Number.isInteger(repeat) || repeat < 1) return cases;
  const settings = { ...NO_SETTINGS, variance: { runs: repeat, minStability: null } };
  return cases.map((one) => ({ ...one, settings }));
}
