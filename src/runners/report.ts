import { readConfig } from "../operations/config.ts";
import { reportRows, type ReportedRows, type ReportRow, type RowsOptions } from "../operations/rows.ts";
import { thisMachine } from "../this-machine.ts";
import { withHint } from "./user-words.ts";

export type { ReportRow } from "../operations/rows.ts";
export type ReportRowsOptions = Omit<RowsOptions, "rows">;

/** Keeps what a script of your own found as an iteration, which `assay show`, `trend` and `view` read like any other. */
export async function report(
  rows: readonly ReportRow[],
  options: ReportRowsOptions = {},
): Promise<ReportedRows> {
  const machine = thisMachine();
  return withHint(async () =>
    reportRows({ ...options, rows }, { machine, config: await readConfig(null, machine) }),
  );
}
