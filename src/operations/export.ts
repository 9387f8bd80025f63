import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../domain/user-error.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { secretsOf } from "../engine/secrets.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { makeFolder } from "../lib/make-folder.ts";
import { secretMask } from "../lib/secret-mask.ts";
import { choice, flag, text } from "../options/kind.ts";
import { required } from "../options/required.ts";
import { type Given, option, optionOr, settle } from "../options/table.ts";
import { PLACE } from "../options/targets.ts";
import type { ExportedFile, Exporter } from "../report/exporter.ts";
import { EXPORTERS } from "../report/exporters/index.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";
import { postTraces } from "./export/post-traces.ts";
import { exportedIteration } from "./export/read-iteration.ts";
import { findIteration } from "./find-run.ts";
import { writing } from "./shared/writing.ts";

/** The formats there are, with what each is. */
export const EXPORT_FORMATS: readonly { readonly name: string; readonly summary: string }[] = EXPORTERS.map(
  ({ name, summary }) => ({ name, summary }),
);

/** What `exportIteration` can be told. */
export const EXPORT_OPTIONS = {
  iteration: option(
    null,
    text,
    "which iteration: a folder, a skill for its newest, or SKILL@N (default: the newest)",
  ),
  format: option(
    "--format <name>",
    choice(EXPORTERS.map(({ name }) => name)),
    `what to write: ${EXPORTERS.map(({ name }) => name).join(", ")}`,
  ),
  out: option("--out <path>", text, "the file to write; for atif, the folder"),
  endpoint: option("--endpoint <url>", text, "send spans to this OTLP/HTTP collector (otlp only)"),
  content: optionOr(
    "--content",
    { kind: flag, otherwise: false },
    "put prompts and what tools were told and answered into spans (otlp only)",
  ),
  ...PLACE,
};
export type ExportOptions = Given<typeof EXPORT_OPTIONS> & { readonly format: string };

export interface Exported {
  readonly format: string;
  readonly suite: string;
  readonly iteration: number;
  readonly runs: number;
  /** Absolute. */
  readonly files: readonly string[];
  /** Where it was sent; null: nowhere. */
  readonly endpoint: string | null;
}

/** Writes an iteration as another program reads it. Secrets are masked. */
export async function exportIteration(options: ExportOptions, door: Door): Promise<Exported> {
  const open = openDoor(door);
  const { machine, signal } = open;
  const settled = required(settle(EXPORT_OPTIONS, options, sourcesOf(open)), ["format"]);
  const exporter = exporterFor(settled);
  const found = await findIteration(settled.iteration, {
    machine,
    results: resultsFolder(settled.workspace, machine),
  });
  const mask = secretMask(secretsOf(machine.env));
  const exported = await exportedIteration(found, { content: settled.content, mask, signal });
  const written = exporter.files(exported);
  const files =
    settled.out === null ? [] : await write(written, { out: resolve(machine.cwd, settled.out), machine });
  if (settled.endpoint !== null)
    for (const { content } of written)
      await postTraces(settled.endpoint, JSON.stringify(content), { env: machine.env, signal });
  const { suite, number } = exported.iteration;
  const runs = exported.runs.length;
  return { format: exporter.name, suite, iteration: number, runs, files, endpoint: settled.endpoint };
}

function exporterFor({
  format,
  out,
  endpoint,
}: {
  format: string;
  out: string | null;
  endpoint: string | null;
}): Exporter {
  const exporter = EXPORTERS.find(({ name }) => name === format);
  if (exporter === undefined) throw new Error(`no exporter is called ${format}`);
  if (endpoint !== null && !exporter.mayPost)
    throw new UserError("export/no-endpoint", `${format} is written to files, not sent`, {
      hint: "pass --out",
    });
  if (out === null && endpoint === null)
    throw new UserError("export/nowhere", "where should it go?", {
      hint: exporter.mayPost ? "pass --out, or --endpoint" : "pass --out",
    });
  return exporter;
}

async function write(
  files: readonly ExportedFile[],
  { out, machine }: { out: string; machine: Door["machine"] },
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { path, content } of files) {
    const to = path === "" ? out : join(out, basename(path));
    await writing(to, machine, async () => {
      await makeFolder(dirname(to));
      await writeFileAtomic(to, `${JSON.stringify(content, null, 2)}\n`);
    });
    paths.push(to);
  }
  return paths;
}
