import { join, resolve } from "node:path";
import type { Outcome } from "../domain/run.ts";
import { UserError } from "../domain/user-error.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { requireTempFolder } from "../engine/temp-folder.ts";
import { inTempFolder } from "../engine/run-folder.ts";
import { flag, text, texts } from "../options/kind.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { AGENT, RUN } from "../options/run.ts";
import { type Given, option, optionOr, pick, settle } from "../options/table.ts";
import { evaluateSuites } from "../pipeline.ts";
import { iterationFolder, projectFolder, suiteFolderName } from "../store/layout.ts";
import { type CaptureFiles, captureFiles, ensureFree, keepCapture } from "./capture/files.ts";
import { invocationSuite } from "./capture/invocation-suite.ts";
import { type Door, openDoor, type OpenDoor, sourcesOf } from "./door.ts";
import { openRunRequest } from "./shared/run-request.ts";

/** What `capture` can be told. */
export const CAPTURE_OPTIONS = {
  skill: option(null, text, "SKILL.md, skill directory or command file"),
  args: optionOr(null, { kind: texts, otherwise: [] }, "what to call the skill with"),
  out: option("--out <file>", text, "where to keep it (default: captures/<skill>.txt among the results)"),
  force: optionOr("--force", { kind: flag, otherwise: false }, "replace an earlier capture"),
  ...pick(RUN, ["projectRoot", "harnesses", "models", "timeoutSeconds", "sandbox", "include"]),
  ...AGENT,
  ...pick(RUN, ["workspace"]),
  ...pick(MODELS, ["maxCostUsd", "maxTokens"]),
};
export type CaptureOptions = Given<typeof CAPTURE_OPTIONS>;

export type Captured =
  /** Absolute paths of the output, and of what it was captured from. */
  | ({ readonly status: "kept" } & CaptureFiles)
  /** The agent did not finish; only a finished output is kept. */
  | { readonly status: "nothing-kept"; readonly outcome: Exclude<Outcome, { status: "completed" }> };

/**
 * Runs a skill once, as every trial is run, and keeps what it put out. Rejects with the signal's reason when it fires; nothing
 * is kept then.
 */
export async function capture(options: CaptureOptions, door: Door): Promise<Captured> {
  const open = { ...openDoor(door), reporters: [] };
  const { machine, signal } = open;
  const { own, settled } = settledCapture(options, open);
  const suite = await invocationSuite(resolve(machine.cwd, own.skill ?? noSkill()), own.args);
  const { captures } = projectFolder(resultsFolder(settled.workspace, machine));
  const files = captureFiles(
    own.out === null ? join(captures, `${suiteFolderName(suite.name)}.txt`) : resolve(machine.cwd, own.out),
  );
  await ensureFree(files, own.force);
  requireTempFolder();
  return await inTempFolder(async (results) => {
    await using run = await openRunRequest(settled, open, null);
    const hidden = [...(run.request.hidden ?? []), run.request.results];
    const request = {
      ...run.request,
      purpose: "capture" as const,
      results,
      hidden,
      defaultRuns: { task: 1, trigger: 1 },
    };
    const { reports, failures } = await evaluateSuites([suite], request, signal);
    signal.throwIfAborted();
    for (const { error } of failures) throw error;
    const [report] = reports;
    const [[id, folder] = ["", ""]] = report?.runFolders ?? [];
    const outcome = report?.evaluated.runs.get(id)?.run.outcome;
    if (report === undefined || outcome === undefined) throw new Error("the trial left no run");
    if (outcome.status !== "completed") return { status: "nothing-kept", outcome };
    await keepCapture(files, {
      output: iterationFolder(report.folder).run(folder).outputText,
      skill: suite.name,
      args: own.args,
      at: machine.now(),
      mask: run.models.mask,
    });
    return { status: "kept", ...files };
  });
}

function settledCapture(options: CaptureOptions, open: OpenDoor) {
  const sources = sourcesOf(open);
  const own = settle(CAPTURE_OPTIONS, options, sources);
  const { skill: _, args: __, out: ___, force: ____, ...offered } = own;
  const rest = { ...settle(RUN, {}, sources), ...settle({ ...MODELS, ...CASSETTES }, {}, sources) };
  return { own, settled: { ...rest, ...offered, grade: false } };
}

function noSkill(): never {
  throw new UserError("capture/no-skill", "which skill should run?", {
    hint: "pass a SKILL.md, a skill's directory or a command file",
  });
}
