import { slugOf } from "../lib/slug.ts";
import { readFile } from "node:fs/promises";
import type { Case } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { secretsOf } from "../engine/secrets.ts";
import { promptText } from "../improve/failing.ts";
import { secretMask } from "../lib/secret-mask.ts";
import { ONE_SKILL } from "../options/improve.ts";
import { flag, text, texts } from "../options/kind.ts";
import { type Given, option, optionOr, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import { type Door, type OpenDoor, openDoor, sourcesOf } from "./door.ts";
import { findRun } from "./find-run.ts";
import { cleaner } from "../improve/session/clean.ts";
import { type NewCase, planCase, writeCase } from "./shared/append-case.ts";
import { casesOf, refuseSame } from "./shared/same-case.ts";
import { skillAt } from "./shared/skill-at.ts";

/** What `add` can be told. */
export const ADD_OPTIONS = {
  ...ONE_SKILL,
  prompt: option("--prompt <text>", text, "what was asked of the agent"),
  expected: option("--expected <text>", text, "what should have happened instead"),
  contains: optionOr(
    "--contains <text>",
    { kind: texts, otherwise: [] },
    "the answer must contain this; may be repeated",
    { repeatable: true },
  ),
  from: option("--from <run>", text, "take the prompt, the answer and the failing checks from this run"),
  name: option("--name <slug>", text, "what the case is called (default: from the prompt)"),
  again: optionOr(
    "--again",
    { kind: flag, otherwise: false },
    "add it even if another case has the same prompt",
  ),
  ...PLACE,
};
export type AddOptions = Given<typeof ADD_OPTIONS>;

export interface Added {
  /** Absolute paths, the eval file last. */
  readonly written: readonly string[];
  readonly name: string;
  readonly prompt: string;
  readonly expected: string;
}

/** Records a failure as a case of a skill's evals. Throws a UserError for a duplicate, and where nothing says what was expected. */
export async function add(options: AddOptions, door: Omit<Door, "reporters">): Promise<Added> {
  const open = openDoor(door);
  const settled = settle(ADD_OPTIONS, options, sourcesOf(open));
  const { machine } = open;
  const skill = await skillAt(settled.skill, machine);
  const told = settled.from === null ? NOTHING : await toldBy(settled.from, settled.workspace, open);
  const { clean } = cleaner(machine.cwd, { mask: secretMask(secretsOf(machine.env)), home: machine.home });
  const prompt = settled.prompt ?? told.prompt;
  const expected = settled.expected ?? told.expected;
  if (prompt === null) throw missing("prompt", "pass --prompt TEXT, or --from RUN to take it from a run");
  if (expected === null) throw missing("expected", "pass --expected TEXT");
  const one: NewCase = {
    name: settled.name ?? slugOf(prompt, "case"),
    prompt: [clean(prompt)],
    expected: clean(expected),
    expectations: [clean(expected)],
    checks: settled.contains.map((needle) => ({ type: "contains", needle })),
    files: [],
    actual: told.actual === null ? null : clean(told.actual).slice(0, MOST_ACTUAL),
  };
  if (!settled.again) refuseSame(one.prompt, await casesOf(settled.skill, open));
  const written = await writeCase(await planCase(one, skill, machine), machine);
  return { written, name: one.name, prompt: one.prompt[0] ?? "", expected: one.expected };
}

const MOST_ACTUAL = 4000;

interface Told {
  readonly prompt: string | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

const NOTHING: Told = { prompt: null, expected: null, actual: null };

async function toldBy(name: string, workspace: string | null, { machine }: OpenDoor): Promise<Told> {
  const { folder, state, finished } = await findRun(name, {
    machine,
    results: resultsFolder(workspace, machine),
  });
  const one: Case | undefined = state.cases.find(({ id }) => id === finished.trial.caseId);
  const failed = (state.gradings.get(finished.trial.id)?.verdicts ?? []).filter(
    ({ status }) => status === "failed",
  );
  const actual = await readFile(folder.run(finished.folder).outputText, "utf8").catch(() => "");
  return {
    prompt: one === undefined ? null : promptText(one),
    expected: failed.length === 0 ? null : [...new Set(failed.map(({ text: said }) => said))].join("\n"),
    actual: actual.trim() === "" ? null : actual.trim(),
  };
}

function missing(what: string, hint: string): UserError {
  return new UserError(
    `add/no-${what}`,
    what === "prompt" ? "what was the agent asked?" : "what should the agent have done?",
    { hint },
  );
}
