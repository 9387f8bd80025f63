import { decidedChecks, type Verdict } from "../domain/verdict.ts";
import { NoResultError } from "../operations/testing.ts";
import { outcomeText, plural, shellWord, shownPath, verdictText } from "../operations/text.ts";
import { thisMachine } from "../this-machine.ts";
import type { SkillRun } from "./skill-run.ts";

/** What a matcher found: whether it holds, and what was seen either way. What is not known is thrown as a NoResultError. */
export interface Matched {
  readonly pass: boolean;
  readonly message: string;
}

/** Did the agent take the skill up, by its own choice or because it was told to? */
export function usedSkill(run: SkillRun): Matched {
  const [first] = run.activations;
  if (first === undefined) return { pass: false, message: `the run did not use ${run.skill}: ${deeds(run)}` };
  return {
    pass: true,
    message: `the run used ${run.skill}${first === "told" ? ", because it was told to" : ""}${where(run)}`,
  };
}

/** Did the agent take the skill up by its own choice? */
export function choseSkill(run: SkillRun): Matched {
  if (run.activations.includes("chosen"))
    return { pass: true, message: `the agent chose ${run.skill}${where(run)}` };
  const told = run.activations.length > 0 ? "it was told to use it" : deeds(run);
  return { pass: false, message: `the agent did not choose ${run.skill}: ${told}` };
}

/** Do all checks hold? One that nobody could decide is no pass. */
export function heldTo(verdicts: readonly Verdict[], run: SkillRun | null): Matched {
  const decided = decidedChecks(verdicts);
  const failed = verdicts.filter(({ status }) => status === "failed");
  if (failed.length > 0) {
    const lines = failed.map((verdict) => `✗ ${verdict.text}: ${verdictText(verdict)}`);
    return {
      pass: false,
      message: [`${plural(failed.length, "check")} failed`, ...lines].join("\n") + where(run),
    };
  }
  const open = verdicts.filter(({ status }) => status === "unscored");
  if (open.length > 0) {
    const lines = open.map(({ text, reason }) => `? ${text}: ${reason}`);
    throw new NoResultError(
      "unscored",
      ["no verdict, which says nothing about the skill", ...lines].join("\n") + where(run),
    );
  }
  return { pass: true, message: `${plural(decided.size, "check")} passed${where(run)}` };
}

function deeds(run: SkillRun): string {
  const calls = Object.entries(run.toolCalls).map(([tool, count]) => `${tool} ${count}×`);
  const did = calls.length === 0 ? "it called no tool" : `it called ${calls.join(", ")}`;
  const ended = run.outcome.status === "completed" ? "" : ` (${outcomeText(run.outcome)})`;
  return `${did}${ended}${where(run)}`;
}

function where(run: SkillRun | null): string {
  return run === null ? "" : `\nassay show ${shellWord(shownPath(run.folder, thisMachine().cwd))}`;
}
