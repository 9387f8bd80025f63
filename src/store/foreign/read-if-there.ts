import { existsSync } from "node:fs";
import type { ResultFile } from "../read/result-file.ts";
import type { Report } from "./foreign.ts";

/** What a result file of another tool says; null where there is none or it cannot be read, which is reported. */
export async function readIfThere<T>(reader: ResultFile<T>, path: string, report: Report): Promise<T | null> {
  if (!existsSync(path)) return null;
  const { value, diagnostics } = await reader.read(path);
  for (const diagnostic of diagnostics) report({ ...diagnostic, severity: "note" });
  return value;
}
