import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { type Skill, skillPath } from "../domain/skill.ts";
import type { FormatName } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { upstreamsOf } from "../engine/models/upstreams.ts";
import { requireTempFolder } from "../engine/temp-folder.ts";
import { inTempFolder } from "../engine/run-folder.ts";
import { FORMAT_NAMES } from "../load/formats/index.ts";
import { findProjectRoot } from "../load/project-root.ts";
import { choice, text } from "../options/kind.ts";
import { type Given, option, settle } from "../options/table.ts";
import { check } from "./check.ts";
import { type Door, type OpenDoor, openDoor, sourcesOf } from "./door.ts";
import { keepProposal } from "./improve/keep-proposal.ts";
import { loadProposal } from "./improve/load-proposal.ts";
import { ensureFree, proposalPlace } from "./improve/proposal-place.ts";
import { agentsHere } from "./init/agents-here.ts";
import { CI_SERVICES, type CiService, ciServiceOf } from "./init/ci.ts";
import { choose } from "./init/choose.ts";
import { firstCase } from "./init/first-case.ts";
import { skillsToStart } from "./init/skills-to-start.ts";
import { writeSurroundings } from "./init/surroundings.ts";

/** What `init` can be told. */
export const INIT_OPTIONS = {
  target: option(null, text, "the skill, or a directory with skills in it (default: here)"),
  to: option(
    "--to <format>",
    choice(FORMAT_NAMES),
    "the format of the eval file (default: asked, else skill-creator)",
  ),
  prompt: option("--prompt <text>", text, "what the first case asks the agent"),
  expected: option("--expected <text>", text, "what must be true of the result"),
  ci: option(
    "--ci <service>",
    choice(CI_SERVICES),
    "also write a CI file (default: for the service that the project uses)",
  ),
};
export type InitOptions = Given<typeof INIT_OPTIONS>;

export interface InitDoor extends Omit<Door, "reporters"> {
  /** Asks a person; an empty answer takes the preset. Absent: presets are taken. */
  readonly ask?: (question: string, preset: string) => Promise<string>;
}

export interface Initialized {
  readonly skill: string;
  /** Absolute directory or command file of the skill. */
  readonly path: string;
  readonly format: FormatName;
  /** Absolute paths. */
  readonly written: readonly string[];
  /** Absolute paths of what already existed and was left as it is. */
  readonly kept: readonly string[];
  /** The first case was made from the skill's description and waits for a real request. */
  readonly isDraft: boolean;
  /** Agents that are installed here. */
  readonly agents: readonly string[];
  /** A model service is configured, so that the built-in agent can run without any of them. */
  readonly hasService: boolean;
  /** Other skills without evals, absolute. */
  readonly others: readonly string[];
  /** What keeps the skill from being used, to be fixed before anything else. */
  readonly errors: readonly Diagnostic[];
}

/** Makes a skill ready for its first verdict: a first case, settings, an ignored results folder, a CI file. Overwrites nothing. */
export async function init(options: InitOptions, door: InitDoor): Promise<Initialized> {
  const open = openDoor(door);
  const { machine } = open;
  const settled = settle(INIT_OPTIONS, options, sourcesOf(open));
  requireTempFolder();
  const ask = door.ask ?? (async (_question: string, preset: string) => preset);
  const skills = await skillsToStart(settled.target ?? ".", open);
  const skill = await choose(skills, machine, ask);
  const to = settled.to ?? (await askFormat(ask));
  const place = proposalPlace(skill, { to, output: null }, machine);
  await ensureFree(place, to, machine);
  const words = await firstCase(skill, settled, ask);
  const evals = await inTempFolder(async (folder) => {
    const loaded = await loadProposal(
      { evals: [words.entry], triggers: [] },
      { skill, folder: join(folder, "draft") },
    );
    if (!loaded.ok)
      throw new UserError("init/unusable-case", `that case cannot be used: ${loaded.problems.join("; ")}`, {
        hint: "rephrase it with --prompt and --expected",
      });
    return keepProposal(loaded.cases, { skill, to, place, folder: join(folder, "written"), machine });
  });
  if (evals.refusal !== null) throw evals.refusal;
  const root = findProjectRoot(skill.root, machine.home) ?? machine.cwd;
  const ci: CiService = settled.ci ?? ciServiceOf(root);
  const around = await writeSurroundings({ root, ci, isGit: existsSync(join(root, ".git")) }, machine);
  return {
    skill: skill.name,
    path: skillPath(skill),
    format: to,
    written: [...evals.written, ...around.written],
    kept: around.kept,
    isDraft: words.isDraft,
    agents: await agentsHere(open),
    hasService: upstreamsOf(machine).length > 0,
    others: skills.filter((one) => one !== skill).map(skillPath),
    errors: await errorsOf(skill, open),
  };
}

async function errorsOf(skill: Skill, open: OpenDoor): Promise<readonly Diagnostic[]> {
  const errors: Diagnostic[] = [];
  for await (const { diagnostics } of check({ targets: [skillPath(skill)] }, open))
    errors.push(...diagnostics.filter(({ severity }) => severity === "error"));
  return errors;
}

async function askFormat(ask: NonNullable<InitDoor["ask"]>): Promise<FormatName> {
  const preset: FormatName = "skill-creator";
  const answer = await ask(`Format of the eval file (${FORMAT_NAMES.join(", ")})`, preset);
  const said = FORMAT_NAMES.find((name) => name === answer.trim());
  if (said !== undefined) return said;
  throw new UserError("init/unknown-format", `there is no format ${JSON.stringify(answer)}`, {
    hint: `choose from ${FORMAT_NAMES.join(", ")}`,
  });
}
