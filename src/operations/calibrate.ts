import { UserError } from "../domain/user-error.ts";
import type { Case } from "../domain/suite.ts";
import { openModels } from "../engine/models/open-models.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { calibrate as compareWithLabels, type Calibration, type JudgedVerdict } from "../grade/calibrate.ts";
import { requireTempFolder } from "../engine/temp-folder.ts";
import { inTempFolder } from "../engine/run-folder.ts";
import { CHECKS, JUDGING, STORED } from "../options/grade.ts";
import { text } from "../options/kind.ts";
import { type Given, option, settle } from "../options/table.ts";
import { readLabelled } from "./calibrate/labelled.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";

export type { Calibration, LabelComparison } from "../grade/calibrate.ts";

/** What `calibrate` can be told; `iteration` is where labelled runs are looked for (default: beside the labels, else the newest). */
export const CALIBRATE_OPTIONS = {
  labels: option(
    "--calibrate <labels>",
    text,
    "compare the judge with a person's labels (YAML, JSON or feedback.json)",
  ),
  ...STORED,
  ...CHECKS,
  ...JUDGING,
};
export type CalibrateOptions = Given<typeof CALIBRATE_OPTIONS>;

/** Asks the judge about what a person has labeled, and says how far they agree. */
export async function calibrate(options: CalibrateOptions, door: Door): Promise<Calibration> {
  const open = openDoor(door);
  const { machine, config, signal } = open;
  const settled = settle(CALIBRATE_OPTIONS, options, sourcesOf(open));
  const file = settled.labels ?? noLabels();
  const results = resultsFolder(settled.workspace, machine);
  const request = { models: settled, cassettes: settled, results, config, account: null };
  await using models = await openModels(request, machine);
  requireTempFolder();
  return await inTempFolder(async (folder) => {
    const wishes = { ...settled, file, plugins: config.plugins, signal };
    const { labels, subjects } = await readLabelled(wishes, { results, folder, machine });
    const verdicts: JudgedVerdict[] = [];
    for (const { name, subject } of subjects) {
      const grading = await models.grade({ ...subject, case: judgedOnly(subject.case) }, signal);
      verdicts.push(...grading.verdicts.map((verdict) => ({ subject: name, verdict })));
    }
    return compareWithLabels(labels, verdicts);
  });
}

function noLabels(): never {
  throw new UserError("labels/unreadable", "which labels should the judge be compared with?", {
    hint: "pass a file with labels, or the feedback.json of an iteration",
  });
}

function judgedOnly(one: Case): Case {
  return { ...one, checks: one.checks.filter((check) => check.kind === "criterion") };
}
