import { resolve } from "node:path";
import { STORE_SCHEMA } from "../domain/iteration.ts";
import { UserError } from "../domain/user-error.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { secretsOf } from "../engine/secrets.ts";
import { VERSION } from "../engine/version.ts";
import { skillDigest } from "../iteration/digests.ts";
import { secretMask } from "../lib/secret-mask.ts";
import { readPlain } from "../lib/shape/read-plain.ts";
import { text } from "../options/kind.ts";
import { type Given, option, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import type { IterationReport } from "../report/reporter.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { keptRows } from "./rows/kept-rows.ts";
import { type ReportRow, ROWS } from "./rows/row.ts";
import { openKeptIteration } from "./shared/kept-iteration.ts";
import { skillAt } from "./shared/skill-at.ts";

export type { ReportRow } from "./rows/row.ts";

/** What `reportRows` can be told. */
export const ROWS_OPTIONS = {
  skill: option(null, text, "the skill that the rows are about: SKILL.md, skill directory or command file"),
  name: option(null, text, "what the results are called (default: the skill's name)"),
  harness: option(null, text, "what ran them (default: script)"),
  model: option(null, text, "the model that answered"),
  ...PLACE,
};
export type RowsOptions = Given<typeof ROWS_OPTIONS> & { readonly rows: readonly ReportRow[] };

export type ReportedRows = IterationReport;

/**
 * Keeps what another program ran and decided as an iteration, which everything that reads iterations reads. Rows of two
 * variants are compared as a benchmark's arms are. Throws a UserError for what is no row; nothing is written then.
 */
export async function reportRows({ rows, ...options }: RowsOptions, door: Door): Promise<ReportedRows> {
  const open = openDoor(door);
  const { machine } = open;
  const settled = settle(ROWS_OPTIONS, options, sourcesOf(open));
  const read = readPlain(rows, ROWS, "rows");
  if (!read.ok) {
    throw new UserError("rows/invalid", read.problems.map(({ message }) => message).join("; "), {
      hint: 'a row is { case: "name", pass: true }, with output, checks, prompt, variant and cost where you have them',
    });
  }
  const skill = settled.skill === null ? null : await skillAt(settled.skill, machine);
  const name = settled.name ?? skill?.name ?? "script";
  const mask = secretMask(secretsOf(machine.env));
  const at = machine.now().toISOString();
  const variants = [...new Set(read.value.map(({ variant }) => variant))];
  const harness = settled.harness ?? "script";
  const runs = keptRows(read.value, { at, harness, model: settled.model, mask });
  const kept = await openKeptIteration({
    results: resultsFolder(settled.workspace, machine),
    manifest: {
      schema: STORE_SCHEMA,
      purpose: variants.length > 1 ? "bench" : "run",
      group: null,
      createdAt: at,
      suite: name,
      skill: skill === null ? null : { path: resolve(skill.root), sha256: await skillDigest(skill) },
      evalFiles: [],
      harness,
      client: null,
      model: settled.model,
      judge: null,
      seed: 0,
      versions: { assay: VERSION, node: process.version, platform: `${process.platform} ${process.arch}` },
      options: {
        reported: true,
        ...(variants.length > 1 && {
          bench: { alpha: 0.05, minEffect: 0, aa: false, adaptive: null, arms: variants },
        }),
      },
      prices: null,
    },
    skill,
    mask,
    now: machine.now,
    note: machine.note,
  });
  for (const run of runs) await kept.add(run);
  return kept.finish();
}
