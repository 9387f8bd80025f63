import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "yaml";

const run = promisify(execFile);
const ACTION = fileURLToPath(new URL("../../action.yml", import.meta.url));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly "working-directory"?: string;
  readonly "continue-on-error"?: boolean;
}

interface Job {
  readonly if?: string;
  readonly needs?: readonly string[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly steps: readonly Step[];
}

/** What a service like GitHub has at hand for a run of workflows. */
export interface Service {
  /** What expressions can name: github, secrets. */
  readonly context: Readonly<Record<string, unknown>>;
  /** Clone from here. */
  readonly repository: string;
  /** Holds artifacts, by name. */
  readonly artifacts: string;
  /** Makes an empty folder. */
  readonly folder: (name: string) => Promise<string>;
  /** Of every machine: PATH, HOME and what a runner sets. */
  readonly env: Readonly<Record<string, string>>;
}

export interface JobOutcome {
  readonly name: string;
  readonly result: "success" | "failure" | "skipped";
  readonly log: string;
  readonly summary: string;
}

/** Runs the jobs of a workflow file in the order of their needs, each on a machine of its own. */
export async function runWorkflow(
  path: string,
  service: Service,
): Promise<ReadonlyMap<string, readonly JobOutcome[]>> {
  const { jobs } = parse(await readFile(path, "utf8")) as { jobs: Readonly<Record<string, Job>> };
  const outcomes = new Map<string, readonly JobOutcome[]>();
  for (const [name, job] of Object.entries(jobs)) {
    const needs = Object.fromEntries(
      (job.needs ?? []).map((need) => [need, { result: overall(outcomes.get(need) ?? []) }]),
    );
    const context = { ...service.context, needs };
    if (!isTrue(job.if ?? "always()", context)) {
      outcomes.set(name, [{ name, result: "skipped", log: "", summary: "" }]);
      continue;
    }
    const columns = Object.entries(job.strategy?.matrix ?? { none: [""] }).flatMap(([key, values]) =>
      values.map((value, index) => ({ matrix: { [key]: value }, strategy: { "job-index": index } })),
    );
    const parts: JobOutcome[] = [];
    for (const column of columns)
      parts.push(await runJob(name, job, { ...service, context: { ...context, ...column } }));
    outcomes.set(name, parts);
  }
  return outcomes;
}

export function overall(parts: readonly JobOutcome[]): JobOutcome["result"] {
  return parts.find(({ result }) => result !== "success")?.result ?? "success";
}

async function runJob(name: string, { steps }: Job, service: Service): Promise<JobOutcome> {
  const machine = await service.folder(`machine-${name}`);
  const place = { work: join(machine, "work"), temp: join(machine, "temp"), machine };
  await mkdir(place.work);
  await mkdir(place.temp);
  for (const file of ["path", "summary"]) await writeFile(join(machine, file), "");
  const context = { ...service.context, runner: { temp: place.temp, os: "Linux" } };
  let failed = false;
  let log = "";
  for (const step of steps) {
    if (failed && step.if !== "always()") continue;
    const ended = await runStep(step, { ...service, context }, place);
    log += ended.log;
    failed ||= !ended.ok && step["continue-on-error"] !== true;
  }
  const summary = await readFile(join(machine, "summary"), "utf8");
  return { name, result: failed ? "failure" : "success", log, summary };
}

interface Place {
  readonly work: string;
  readonly temp: string;
  readonly machine: string;
}

interface Ended {
  readonly ok: boolean;
  readonly log: string;
}

const DONE: Ended = { ok: true, log: "" };

async function runStep(step: Step, service: Service, place: Place): Promise<Ended> {
  const { context } = service;
  if (step.if !== undefined && !isTrue(step.if, context)) return DONE;
  const given = filled(step.with ?? {}, context);
  const env = filled(step.env ?? {}, context);
  const [action = ""] = (step.uses ?? "").split("@");
  switch (action) {
    case "":
      return runShell(step, env, { service, place });
    case "actions/cache":
      return DONE;
    case "actions/checkout":
      await run("git", ["clone", "-q", "--no-hardlinks", service.repository, place.work]);
      await run("git", ["checkout", "-q", given["ref"] || "HEAD"], { cwd: place.work });
      return DONE;
    case "actions/upload-artifact":
      await cp(join(place.work, given["path"] ?? ""), join(service.artifacts, given["name"] ?? ""), {
        recursive: true,
      }).catch(() => {});
      return DONE;
    case "actions/download-artifact":
      return download(given, { service, place });
    case "OWNER/assay":
      return runAction(given, env, { service, place });
    default:
      throw new Error(`a third party's action: ${action}`);
  }
}

async function download(
  given: Readonly<Record<string, string>>,
  { service, place }: { service: Service; place: Place },
): Promise<Ended> {
  const target = join(place.work, given["path"] ?? "");
  await mkdir(target, { recursive: true });
  const names = await readdir(service.artifacts);
  if (given["name"] !== undefined) {
    if (!names.includes(given["name"])) return { ok: false, log: "no such artifact\n" };
    await cp(join(service.artifacts, given["name"]), target, { recursive: true });
    return DONE;
  }
  const start = (given["pattern"] ?? "").replace("*", "");
  for (const name of names.filter((one) => one.startsWith(start)))
    await cp(join(service.artifacts, name), join(target, name), { recursive: true });
  return DONE;
}

async function runAction(
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
  { service, place }: { service: Service; place: Place },
): Promise<Ended> {
  const { inputs, runs } = parse(await readFile(ACTION, "utf8")) as {
    inputs: Readonly<Record<string, { default?: string }>>;
    runs: { steps: readonly Step[] };
  };
  const defaults = Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, one.default ?? ""]));
  const github = { ...(service.context["github"] as object), action_path: dirname(ACTION) };
  const context = { ...service.context, github, inputs: { ...defaults, ...given } };
  let log = "";
  for (const step of runs.steps) {
    const own = { ...step, env: { ...env, ...step.env } };
    const ended = await runStep(own, { ...service, context }, place);
    log += ended.log;
    if (!ended.ok) return { ok: false, log };
  }
  return { ok: true, log };
}

async function runShell(
  step: Step,
  env: Readonly<Record<string, string>>,
  { service, place }: { service: Service; place: Place },
): Promise<Ended> {
  const added = (await readFile(join(place.machine, "path"), "utf8")).trim().split("\n").join(":");
  const options = {
    cwd:
      step["working-directory"] === undefined ? place.work : fill(step["working-directory"], service.context),
    env: {
      ...service.env,
      PATH: `${added}:${service.env["PATH"]}`,
      RUNNER_TEMP: place.temp,
      TMPDIR: place.temp,
      GITHUB_PATH: join(place.machine, "path"),
      GITHUB_STEP_SUMMARY: join(place.machine, "summary"),
      ...env,
    },
  };
  return run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run ?? ""], options).then(
    ({ stdout, stderr }) => ({ ok: true, log: stdout + stderr }),
    ({ stdout = "", stderr = "" }: { stdout?: string; stderr?: string }) => ({
      ok: false,
      log: stdout + stderr,
    }),
  );
}

function filled(
  texts: Readonly<Record<string, string | number | boolean>>,
  context: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(String(text), context)]));
}

function fill(text: string, context: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\$\{\{\s*([^}]+?)\s*\}\}/g, (_, path: string) => textOf(valueOf(path, context)));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** As much of GitHub's expressions as these files use: paths, texts, ==, !=, &&, ||, contains() and always(). */
function isTrue(text: string, context: Readonly<Record<string, unknown>>): boolean {
  const inner = text.trim().replace(/^\$\{\{(.*)\}\}$/s, "$1");
  const program = inner
    .replaceAll(/[a-z_]+(?:\.(?:[a-z_-]+|\*))+/g, (path) => JSON.stringify(valueOf(path, context) ?? ""))
    .replaceAll("always()", "true")
    .replaceAll(/contains\((\[[^\]]*\]|"[^"]*"), ('[^']*')\)/g, "$1.includes($2)");
  if (!/^(?:true|"[^"]*"|'[^']*'|\[(?:"[^"]*",?)*\]|\.includes|[()!=&|\s])*$/.test(program))
    throw new Error(`an expression that is not known here: ${text}`);
  // oxlint-disable-next-line typescript/no-implied-eval -- only texts and operators, as was looked at above
  return Boolean(new Function(`return ${program}`)());
}

/** `labels.*.name` is a list of what all have there. */
function valueOf(path: string, context: unknown): unknown {
  const [first = "", ...rest] = path.split(".");
  if (first === "*") return (context as unknown[]).map((one) => valueOf(rest.join("."), one));
  const value = (context as Readonly<Record<string, unknown>> | undefined)?.[first];
  return rest.length === 0 || value === undefined ? value : valueOf(rest.join("."), value);
}
