import { UserError } from "../../domain/user-error.ts";
import { type FailingCheck, failingChecks } from "../../improve/failing.ts";
import type { Suggestion } from "../../improve/suggestion/suggest.ts";
import { suggestEdits } from "../../improve/suggestion/suggest.ts";
import { printable } from "../../lib/printable.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { unifiedDiff } from "../../lib/unified-diff.ts";
import { usageText } from "../../report/text.ts";
import { listIterations } from "../../store/iterations.ts";
import type { IterationFolder } from "../../store/layout.ts";
import { EXIT } from "../../cli/exit.ts";
import { findIteration, type FoundIteration } from "../find-run.ts";
import { textOption } from "../../cli/options/targets.ts";
import type { Graders } from "../grade/with-grading.ts";
import { plural } from "../../lib/plural.ts";
import { skillDigest } from "../../iteration/digests.ts";
import { secretsOf } from "../../engine/secrets.ts";
import type { Machine } from "../../machine.ts";
import { adoptText, ensureCommitted } from "./adopt.ts";
import { readFeedback } from "./feedback.ts";
import { proposerOf, tellJudge } from "./judge.ts";
import { diffPath, type Place } from "./place.ts";
import { skillTextProblem } from "./skill-text.ts";

export interface SuggestCall {
  readonly place: Place;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly graders: Pick<Graders, "find">;
  readonly machine: Machine;
}

/** One diff from the failing checks of one iteration. Answers the exit code. */
export async function suggestOnce(call: SuggestCall, signal: AbortSignal): Promise<number> {
  const { place, raw, machine } = call;
  const { skill, skillText } = place;
  const apply = raw["apply"] === true;
  if (apply) await ensureCommitted(skill.file, machine);
  const found = await iterationOf(call);
  const failing = failingChecks(found.state);
  const name = `iteration-${found.state.iteration?.number ?? 0}`;
  if (failing.length === 0) return nothingFailing(found, { name, raw, machine });
  await noteChanged(found, place, machine);
  const judge = proposerOf(call.graders.find);
  tellJudge(judge, "proposes edits", { suite: null, find: call.graders.find, machine });
  const mask = secretMask(secretsOf(machine.env));
  const suggestion = await suggestEdits(
    {
      skillName: skill.name,
      skillText,
      failing: mask.json(failing),
      feedback: mask.json(await readFeedback(found.folder, machine)),
      rejected: [],
      advice: [],
      mostEdits: raw["edits"] as number,
    },
    { judge, objection: (text) => skillTextProblem(skill, text) },
    signal,
  );
  if (suggestion.status === "unanswered") {
    machine.err(`error: no edits were proposed: ${printable(suggestion.reason)}\n`);
    return EXIT.unfinished;
  }
  report({ suggestion, failing, name }, call);
  if (suggestion.edits.length === 0) return EXIT.unfinished;
  if (apply) {
    await adoptText(skill.file, { before: skillText, after: suggestion.text }, machine);
    machine.err(`applied to ${diffPath(place, skill.file)}; run it again to see whether it helped\n`);
  }
  return EXIT.ok;
}

async function iterationOf({ place, raw, machine }: SuggestCall): Promise<FoundIteration> {
  const { suite, results } = place;
  const named = textOption(raw["iteration"]);
  if (named === null && (await listIterations(place.folder.root)).length === 0) {
    throw new UserError("improve/not-run", `${suite.name} was not run yet, so nothing is known to fail`, {
      hint: "assay run runs it; --workspace names another place for results",
    });
  }
  const found = await findIteration(named ?? suite.name, { cwd: machine.cwd, results });
  const about = found.state.iteration?.suite;
  if (about === suite.name) return found;
  throw new UserError(
    "improve/other-skill",
    `${found.folder.root} is about the skill ${JSON.stringify(about)}, not ${JSON.stringify(suite.name)}`,
    { hint: `name an iteration of ${suite.name}, or another --workspace` },
  );
}

function nothingFailing(
  { state }: FoundIteration,
  { name, raw, machine }: { name: string; raw: SuggestCall["raw"]; machine: Machine },
): number {
  const verdicts = [...state.gradings.values()].flatMap((grading) => grading.verdicts);
  const passed = verdicts.filter(({ status }) => status === "passed").length;
  const unscored = verdicts.filter(({ status }) => status === "unscored").length;
  const rest = unscored === 0 ? "" : `; ${plural(unscored, "check")} could not be decided`;
  if (verdicts.length === 0) {
    throw new UserError("improve/ungraded", `nothing in ${name} is graded, so nothing is known to fail`, {
      hint: "assay grade grades it; assay run runs the cases again",
    });
  }
  if (raw["json"] === true) machine.out(`${JSON.stringify({ failing: [], edits: [], diff: "" }, null, 2)}\n`);
  machine.err(`nothing failed in ${name}: ${plural(passed, "check")} passed${rest}. No model was asked.\n`);
  return EXIT.ok;
}

async function noteChanged(found: FoundIteration, { skill }: Place, machine: Machine): Promise<void> {
  const then = found.state.iteration?.skill?.sha256;
  if (then === undefined || then === (await skillDigest(skill))) return;
  machine.err(
    `note: the skill was changed after ${name(found.folder)} was run, so its failures may be out of date; assay run makes new ones\n`,
  );
}

function name({ root }: IterationFolder): string {
  return root.split(/[\\/]/).at(-1) ?? root;
}

function report(
  {
    suggestion,
    failing,
    name: iteration,
  }: {
    suggestion: Suggestion & { status: "suggested" };
    failing: readonly FailingCheck[];
    name: string;
  },
  { place, raw, machine }: SuggestCall,
): void {
  const { edits, dropped, summary, text, usage } = suggestion;
  const path = diffPath(place, place.skill.file);
  const diff = unifiedDiff({ path, before: place.skillText, after: text });
  for (const { number, why } of dropped) machine.note(`edit ${number} was dropped: ${printable(why)}`);
  if (raw["json"] === true) {
    const json = {
      skill_name: place.skill.name,
      iteration,
      summary,
      failing: failing.map(({ id, text: must }) => ({ id, text: must })),
      edits: edits.map(({ anchor, replacement, rationale, motivatedBy }) => ({
        anchor,
        replacement,
        rationale,
        motivated_by: motivatedBy,
      })),
      dropped: dropped.map(({ number, why }) => ({ number, why })),
      diff,
    };
    machine.out(`${JSON.stringify(json, null, 2)}\n`);
  } else {
    machine.err(`${plural(failing.length, "failing check")} in ${iteration}: ${printable(summary)}\n`);
    for (const { rationale, motivatedBy } of edits)
      machine.err(`- ${printable(rationale)} [${printable(motivatedBy.join(", "))}]\n`);
    machine.out(diff);
  }
  if (edits.length === 0) machine.err("no edit is left that could be made\n");
  machine.err(`asked: ${usageText(usage)}\n`);
}
