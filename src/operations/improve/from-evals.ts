import { mkdir, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { draftQuestion, type SkillDraft } from "../../improve/draft/question.ts";
import { splitCases } from "../../improve/loop/split-cases.ts";
import { writeYaml } from "../../lib/document/write-yaml.ts";
import { printable } from "../../lib/printable.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { unifiedDiff } from "../../lib/unified-diff.ts";
import { lintSkill } from "../../load/lint/lint.ts";
import { loadTargets } from "../../load/load.ts";
import { findProjectRoot } from "../../load/project-root.ts";
import { parseSkill } from "../../load/skill.ts";
import { usageText } from "../../report/text.ts";
import { EXIT } from "../../cli/exit.ts";
import type { Graders } from "../grade/with-grading.ts";
import { loadOptions, textOption } from "../../cli/options/targets.ts";
import { plural } from "../../lib/plural.ts";
import { secretsOf } from "../../engine/secrets.ts";
import type { Machine } from "../../machine.ts";
import { writing } from "../writing.ts";
import { proposerOf, tellJudge } from "./judge.ts";
import { diffPath } from "./place.ts";

export interface FromEvalsCall {
  readonly target: string;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly graders: Graders;
  readonly machine: Machine;
}

/** Drafts a skill where there is none, from evals that say what it must do. Answers the exit code. */
export async function draftFromEvals(call: FromEvalsCall, signal: AbortSignal): Promise<number> {
  const { raw, machine, graders } = call;
  const file = await freeFile(call.target, machine);
  const name = nameOf(file);
  const cases = await casesOf(call);
  const { train, heldOut } = splitCases(
    cases.map(({ id }) => id),
    call.seed,
  );
  const shown = cases.filter(({ id }) => train.includes(id));
  const mask = secretMask(secretsOf(machine.env));
  const judge = proposerOf(graders.find);
  tellJudge(judge, "drafts the skill", { suite: null, find: graders.find, machine });
  const answer = await judge.ask(draftQuestion(name, mask.json(shown)), signal);
  machine.err(`asked: ${usageText(answer.usage)}\n`);
  if (answer.status === "unanswered") {
    machine.err(`error: no skill was drafted: ${printable(answer.reason)}\n`);
    return EXIT.unfinished;
  }
  const text = skillText(name, answer.value);
  const errors = (await lintSkill(parseSkill(file, text), { profile: "claude-code" })).filter(
    ({ severity }) => severity === "error",
  );
  if (errors.length > 0) {
    const listed = errors.map(({ message }) => `  - ${printable(message)}\n`).join("");
    machine.err(`error: the draft breaks the rules for skills, so nothing was written:\n${listed}`);
    return EXIT.unfinished;
  }
  const diffRoot = findProjectRoot(dirname(file), machine.home) ?? machine.cwd;
  machine.err(`drafted from ${plural(shown.length, "case")}; ${heldOut.length} held out\n`);
  machine.out(unifiedDiff({ path: diffPath({ diffRoot }, file), before: null, after: text }));
  if (raw["apply"] === true) {
    await writing(file, machine, async () => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { flag: "wx" });
    });
    machine.err(`wrote ${relative(machine.cwd, file)}\n`);
  }
  return EXIT.ok;
}

async function freeFile(target: string, machine: Machine): Promise<string> {
  const path = resolve(machine.cwd, target);
  const file = basename(path) === "SKILL.md" ? path : join(path, "SKILL.md");
  if ((await stat(file).catch(() => null)) === null) return file;
  throw new UserError("improve/exists", `${relative(machine.cwd, file)} is there already`, {
    hint: "leave --from-evals away to improve it",
  });
}

function nameOf(file: string): string {
  const name = basename(dirname(file));
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= 64) return name;
  throw new UserError("improve/bad-name", `${JSON.stringify(name)} cannot be the name of a skill`, {
    hint: "name a directory in lower-case letters, digits and single hyphens",
  });
}

async function casesOf({ raw, machine }: FromEvalsCall): Promise<readonly Case[]> {
  const from = textOption(raw["fromEvals"]) ?? "";
  const { suites, diagnostics } = await loadTargets([from], loadOptions({}, machine, null));
  const cases = suites.flatMap((suite) => suite.cases).filter(({ kind }) => kind === "task");
  if (cases.length > 0) return cases;
  throw new UserError("improve/no-evals", `${from} holds no task that a skill could be drafted from`, {
    hint: "name an eval file or a directory of them",
    diagnostics,
  });
}

function skillText(name: string, { description, body }: SkillDraft): string {
  return `---\n${writeYaml({ name, description: description.trim() })}---\n\n${body.trim()}\n`;
}
