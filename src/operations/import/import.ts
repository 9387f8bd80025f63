import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { EventBody } from "../../domain/event.ts";
import { UserError } from "../../domain/user-error.ts";
import { objectAt, textAt, textOrNull } from "../../lib/loose.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { removeLeftovers } from "../../lib/remove-leftovers.ts";
import { type SecretMask, secretMask } from "../../lib/secret-mask.ts";
import { temporaryFor } from "../../lib/temporary-name.ts";
import { secretsOf } from "../../engine/secrets.ts";
import { VERSION } from "../../engine/version.ts";
import type { Machine } from "../../machine.ts";
import { maskFolder, withheldText } from "../../iteration/mask-file.ts";
import { type Withheld, withoutWithheld } from "../../iteration/withheld.ts";
import { summarizeIteration } from "../../iteration/summarize.ts";
import type { ForeignIteration, ForeignText } from "../../store/foreign/foreign.ts";
import type { ForeignFolder } from "../../store/foreign/find.ts";
import { openIteration, readIteration } from "../../store/iteration.ts";
import {
  caseFolders,
  EARLIER,
  type IterationFolder,
  iterationFolder,
  projectFolder,
  runFolderOf,
  slug,
} from "../../store/layout.ts";
import { readManifest, writeManifest } from "../../store/manifest.ts";
import { makeResultsRoot } from "../../store/results-root.ts";
import { writeRunFiles } from "../../store/write/run-folder.ts";
import { importFiles, importInputs } from "./files.ts";
import {
  activationsOf,
  gradingFor,
  type ImportedTrial,
  manifestFor,
  runOf,
  startOf,
  trialsOf,
} from "./state-of.ts";
import { importTranscript } from "./transcript.ts";

export interface Importing {
  /** The `.assay` folder. */
  readonly results: string;
  readonly mask: SecretMask;
  /** Of this program. */
  readonly version: string;
  /** Hears what is odd about the workspace. */
  readonly note: (text: string) => void;
}

/**
 * An iteration of another tool in our own form, below `imports/` of the results: made once, and again when the workspace
 * has changed, so that everything that reads an iteration reads it. The workspace itself is never written to.
 */
export async function importIteration(folder: ForeignFolder, importing: Importing): Promise<IterationFolder> {
  const { results, mask, note } = importing;
  const target = projectFolder(results).imported(importName(folder.series)).iteration(folder.number);
  const signature = await signatureOf(folder.root);
  if ((await signatureIn(target)) === signature) {
    for (const { message } of (await readIteration(target)).state.notes) note(message);
    return target;
  }
  const foreign = await folder.read();
  if (foreign.runs.length === 0) {
    throw new UserError("import/nothing", `${folder.root} has no run that can be read`, {
      hint: "runs are in EVAL/with_skill/run-1 or vN/runs/run-1 (skill-creator), run-0 (clauditor), ID/transcript.jsonl (BMad) or aggregate-result.json (claude plugin eval)",
      diagnostics: foreign.problems,
    });
  }
  await makeResultsRoot(results);
  await makeFolder(dirname(target.root));
  await removeLeftovers(dirname(target.root));
  const draft = iterationFolder(temporaryFor(target.root));
  await mkdir(draft.root, { recursive: true });
  await write(foreign, { draft, signature, importing, number: folder.number });
  await setAside(target);
  await rename(draft.root, target.root);
  await summarizeIteration(
    { folder: target.root },
    { mask, gates: null, allowMissing: 0, minPassRate: null },
  );
  for (const { message } of (await readIteration(target)).state.notes) note(message);
  return target;
}

export function importingTo(results: string, { env, note }: Pick<Machine, "env" | "note">): Importing {
  return { results, mask: secretMask(secretsOf(env)), version: VERSION, note };
}

/** Where the other tool left it; null: it is no import. */
export function importedFrom(options: unknown): string | null {
  return textOrNull(objectAt(options, "imported"), "from");
}

/** What the folder of a run is called in the import. */
export function importedName(options: unknown, source: string): string | null {
  return textAt(objectAt(objectAt(options, "imported"), "folders"), source) || null;
}

/** Whether only a folder says which skill it is about. */
export function isNamedByFolder(options: unknown): boolean {
  return textAt(objectAt(options, "imported"), "namedBy") === "folder";
}

async function write(
  foreign: ForeignIteration,
  {
    draft,
    signature,
    importing,
    number,
  }: { draft: IterationFolder; signature: string; importing: Importing; number: number },
): Promise<void> {
  const { mask, version } = importing;
  const trials = trialsOf(foreign);
  const folders = foldersOf(trials);
  const manifest = manifestFor(foreign, {
    signature,
    version,
    number,
    folders: Object.fromEntries(
      trials
        .filter(({ foreign: { source } }) => source !== "")
        .map((one) => [one.foreign.source, folders.get(one) ?? ""])
        .toReversed(),
    ),
  });
  await writeManifest(draft.manifest, manifest, mask);
  const feedback = foreign.feedback;
  if (feedback !== null) await copyFile(feedback, draft.feedback);
  {
    await using iteration = await openIteration(draft, mask);
    const at = manifest.createdAt;
    const append = (body: EventBody) => iteration.append({ at, ...body });
    await append(startOf(manifest, trials));
    for (const message of problemTexts(foreign))
      await append({ kind: "note", code: "import/odd", message, trialId: null });
    for (const one of trials) {
      const runFolder = folders.get(one) ?? "";
      const run = await keepRun(one, { folder: draft.run(runFolder), manifest, foreign, mask });
      await append({ kind: "trial-finished", trial: one.trial, attempt: 1, folder: runFolder, run });
      const { grading } = one.foreign;
      if (grading !== null)
        await append({
          kind: "verdicts-recorded",
          trial: one.trial,
          grading: gradingFor(one, grading, { iteration: manifest, tool: foreign.tool }),
        });
    }
    await append({ kind: "iteration-finished", ended: "complete" });
  }
  for (const path of await maskFolder(draft.root, mask)) importing.note(withheldText(path));
}

async function keepRun(
  one: ImportedTrial,
  {
    folder,
    manifest,
    foreign,
    mask,
  }: {
    folder: ReturnType<IterationFolder["run"]>;
    manifest: ReturnType<typeof manifestFor>;
    foreign: ForeignIteration;
    mask: SecretMask;
  },
) {
  await mkdir(folder.root, { recursive: true });
  const changes = await importFiles(one.foreign.files, folder.outputs);
  await importInputs(one.foreign.inputs, folder.inputs);
  const { events, recorder, model, steps } = await importTranscript(one.foreign);
  const answer = (await textOf(one.foreign.answer)) ?? (recorder.messages === "" ? null : recorder.messages);
  const withheld: Withheld = {
    outputs: await maskFolder(folder.outputs, mask),
    others: (await maskFolder(folder.inputs, mask)).map((one) => ({ ...one, path: `the input ${one.path}` })),
  };
  const made = runOf(one, {
    iteration: manifest,
    tool: foreign.tool,
    done: {
      changes,
      steps,
      ...(model !== null && { model }),
      toolCalls: recorder.toolCalls,
      toolErrors: recorder.toolErrors,
      activations: activationsOf(one, { seen: recorder.activations, skill: foreign.skillName }),
      output:
        answer === null
          ? { status: "unknown", reason: `${foreign.tool} kept no answer of this run` }
          : { status: "present" },
    },
  });
  const run = withoutWithheld(made, withheld, mask);
  const record = {
    prompt: one.foreign.prompt ?? "",
    skill: foreign.skillName,
    inputs: [],
    run,
    transcript: events,
    output: answer,
    withOutputs: one.one.kind === "task",
  };
  await writeRunFiles(folder, record, mask);
  return run;
}

async function textOf(answer: ForeignText | null): Promise<string | null> {
  if (answer === null) return null;
  if (answer.kind === "text") return answer.text;
  return readFile(answer.path, "utf8");
}

/** Runs of one file in the other tool share a folder there; here each has its own. */
function foldersOf(trials: readonly ImportedTrial[]): ReadonlyMap<ImportedTrial, string> {
  const cases = [...new Map(trials.map(({ one }) => [one.id, one])).values()];
  const folders = caseFolders(cases);
  return new Map(trials.map((one) => [one, runFolderOf(folders.get(one.one.id) ?? one.one.id, one.trial)]));
}

function problemTexts({ problems, root }: ForeignIteration): readonly string[] {
  const shown = problems.slice(0, MOST_PROBLEMS).map(({ at, message }) => {
    const file =
      at === null ? "" : `${at.file.startsWith(root) ? at.file.slice(root.length + 1) : at.file}: `;
    return `${file}${message}`;
  });
  const left = problems.length - shown.length;
  return left === 0 ? shown : [...shown, `${left} more of its files have problems`];
}

const MOST_PROBLEMS = 20;

/** What `assay grade` made of an earlier import is kept. */
async function setAside(target: IterationFolder): Promise<void> {
  if ((await stat(target.root).catch(() => null)) === null) return;
  for (let number = 1; ; number++) {
    const aside = join(dirname(target.root), EARLIER, `${basename(target.root)}.${number}`);
    if ((await stat(aside).catch(() => null)) !== null) continue;
    await mkdir(dirname(aside), { recursive: true });
    return rename(target.root, aside);
  }
}

async function signatureIn(target: IterationFolder): Promise<string | null> {
  const manifest = await readManifest(target.manifest).catch(() => null);
  return manifest === null ? null : textAt(objectAt(manifest.options, "imported"), "signature");
}

/** By names, sizes and times: contents need not be read to see that nothing was written. */
async function signatureOf(root: string): Promise<string> {
  const hash = createHash("sha256").update(FORM);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const beside = [join(dirname(root), "feedback.json")];
  for (const file of [...files.toSorted(), ...beside]) {
    const found = await stat(file).catch(() => null);
    if (found !== null) hash.update(`${file}\0${found.size}\0${found.mtimeMs}\0`);
  }
  return hash.digest("hex").slice(0, 32);
}

/** Of what an import holds; another form is imported anew. */
const FORM = "2";

/** One for each series, so that its iterations lie beside each other. */
function importName(series: string): string {
  const digest = createHash("sha256").update(series).digest("hex").slice(0, 8);
  return `${slug(basename(series), 40) || "workspace"}-${digest}`;
}
