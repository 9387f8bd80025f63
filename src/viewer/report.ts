import { createHash } from "node:crypto";
import { extname, join, resolve } from "node:path";
import type { IterationAddress } from "../domain/pages.ts";
import type { Door } from "../operations/door.ts";
import {
  openResults,
  redactor,
  type Redaction,
  type ReportOptions,
  reportPlace,
  type Results,
  viewerApp,
  writeReportFile,
} from "../operations/view.ts";
import { shellPage } from "./shell.ts";
import { collect } from "./static.ts";

export type { Redaction } from "../operations/view.ts";

/** The static form of the viewer, ready to be written. */
export interface StaticReport {
  readonly iterations: readonly IterationAddress[];
  /** What was taken out, and where. */
  readonly redactions: readonly Redaction[];
  /** What is not in it, in words, with how often. */
  readonly omitted: Readonly<Record<string, number>>;
  /** Absolute; the file that is written. */
  readonly path: string;
  readonly bytes: number;
  readonly write: () => Promise<void>;
}

/**
 * The results as one HTML file that asks nothing of anybody: the iteration that was named, else the newest of each skill. Nothing
 * is written before `write`, so that whoever shares it can see first what was taken out. The same results give the same bytes.
 * `app` is the viewer's own where none is given.
 */
export async function report(
  options: ReportOptions,
  door: Door,
  { app = viewerApp }: { readonly app?: typeof viewerApp } = {},
): Promise<StaticReport> {
  const { machine } = door;
  const out = resolve(machine.cwd, reportPlace(options, door));
  const results = await openResults({ folder: options.folder, workspace: options.workspace }, door);
  const redacting = redactor(machine);
  const iterations = await chosenOf(results);
  const data = await collect(results, iterations, redacting);
  const page = pageOf(await app(), JSON.stringify(data));
  const path = /^\.html?$/i.test(extname(out)) ? out : join(out, "index.html");
  return {
    iterations,
    redactions: redacting.redactions(),
    omitted: data.omitted,
    path,
    bytes: Buffer.byteLength(page),
    write: () => writeReportFile(path, page, machine),
  };
}

async function chosenOf(results: Results): Promise<readonly IterationAddress[]> {
  if (results.start !== null) return [results.start];
  const { skills } = await results.overview();
  return skills.flatMap(({ skill, latest, iterations }) => {
    const n = latest ?? iterations[0]?.n;
    return n === undefined ? [] : [{ skill, n }];
  });
}

function pageOf({ script, style }: Awaited<ReturnType<typeof viewerApp>>, data: string): string {
  // Of the content, so that the same results give the same file.
  const nonce = createHash("sha256").update(script).update(data).digest("base64");
  return shellPage({ nonce, script: { text: script }, style: { text: style }, data });
}
