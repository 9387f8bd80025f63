import { type Case, type CaseSettings, type Fixture, NO_SETTINGS } from "../../../domain/suite.ts";
import { assayOrigin } from "../../assay-check.ts";
import { ASSAY_KEY } from "../../assay-key.ts";
import { isLostKey, lostParts } from "../../losses.ts";
import { isHosted } from "./spell.ts";

/** What a task says that neither the format nor the `assay` key has words for, one sentence each. */
export function taskLosses(task: Case, checkLosses: readonly string[]): readonly string[] {
  const nouns = [
    ...lostParts(task, ["invocation", "files", "output", "sections", ...SETTINGS]),
    ...lostFiles(task.files),
    ...checkLosses,
    ...(task.format === "clauditor" ? [] : foreignLosses(task)),
  ];
  const changed = task.prompt.kind === "turns";
  return [
    ...nouns.map((noun) => sentence(task, noun)),
    ...(changed ? [`case ${task.id}: the prompt becomes the skill's arguments`] : []),
  ];
}

/** A trigger query is a text and a list it stands in, no more. */
export function triggerLosses(trigger: Case): readonly string[] {
  const nouns = [
    ...lostParts(trigger, ["harness", "transport", "gradingProvider", "gradingModel"]),
    ...trigger.checks.flatMap((check) => {
      if (check.kind !== "fires") return [`the check ${JSON.stringify(check.text)} on a trigger query`];
      return check.skill === null && check.forbidden.length === 0 ? [] : ["which other skill should fire"];
    }),
    ...(trigger.mcpServers === null ? [] : ["the MCP servers of a trigger query"]),
    ...(trigger.format === "clauditor" ? [] : [...lostId(trigger), ...lostKeys(trigger, () => true)]),
  ];
  return nouns.map((noun) => sentence(trigger, noun));
}

const SETTINGS = Object.keys(NO_SETTINGS) as (keyof CaseSettings)[];

function foreignLosses(task: Case): readonly string[] {
  return [
    ...lostId(task),
    ...lostKeys(task, isLostKey),
    ...task.checks
      .filter((check) => isHosted(check) && check.origin !== null && assayOrigin(check) === null)
      .map((check) => `other details of the check ${JSON.stringify(check.text)}`),
  ];
}

function lostId({ declaredId }: Case): readonly string[] {
  return declaredId === null ? [] : [`the id ${JSON.stringify(declaredId)}`];
}

function lostKeys({ extras }: Case, lost: (key: string) => boolean): readonly string[] {
  return Object.keys(extras)
    .filter((key) => key !== ASSAY_KEY && lost(key))
    .map((key) => `the key ${JSON.stringify(key)}`);
}

/** Files are staged by base name, and every one must be there. */
function lostFiles(files: readonly Fixture[]): readonly string[] {
  const names = new Set<string>();
  return files.flatMap((file) => {
    if (file.kind !== "path") return [];
    const name = file.target.split("/").at(-1) ?? file.target;
    const clash = names.has(name);
    names.add(name);
    if (file.problem !== null) return [`the file ${file.declared}, which cannot be staged`];
    if (clash) return [`a second file named ${name}`];
    return file.target === name ? [] : [`the directory of ${file.target}`];
  });
}

function sentence(evalCase: Case, noun: string): string {
  return `case ${evalCase.id}: clauditor cannot express ${noun}`;
}
