import { mkdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import type { LaneRecord } from "../../domain/ci.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { UserError } from "../../domain/user-error.ts";
import { type Config, readConfig } from "../../engine/config.ts";
import { openRunFolder } from "../../engine/run-folder.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { thrownWords } from "../../lib/thrown-words.ts";
import { findProjectRoot } from "../../load/project-root.ts";
import type { Machine } from "../../machine.ts";
import { createSandbox, findSandbox } from "../../run/choose-sandbox.ts";
import type { LANE } from "../../options/ci.ts";
import type { Given, Settled } from "../../options/table.ts";
import { projectFolder } from "../../store/layout.ts";
import { bench, type BenchOptions } from "../bench.ts";
import { check } from "../check.ts";
import type { OpenDoor } from "../door.ts";
import { type ChangedSkill, changedSkills } from "./changed-skills.ts";
import { makeOwnFolder } from "./own-folder.ts";
import { bringFiles, openRepository, overlaySkill, type Repository, writeTree } from "./trees.ts";

export type LaneSettled = Settled<typeof LANE> & { readonly lane: LaneRecord["lane"] };

export const LANE_FILE = "lane.json";
export const DEFAULT_OUT = "assay-ci";

/**
 * Does one lane's work and writes down what it came to, also where it came to nothing: a report that finds no word of a lane
 * takes it for missing. Whether the change passes is the report's to say, over all lanes and shards.
 */
export async function runLane(
  settled: LaneSettled,
  given: Given<typeof LANE>,
  door: OpenDoor,
): Promise<LaneRecord> {
  const cwd = await realpath(door.machine.cwd);
  const call: LaneCall = {
    settled,
    given,
    door: { ...door, machine: { ...door.machine, cwd } },
    out: resolve(cwd, settled.out ?? DEFAULT_OUT),
  };
  requireBudget(settled);
  await makeOwnFolder(call.out, cwd);
  await removeEarlier(call.out);
  const repository =
    settled.base === null ? null : await openRepository(settled.base, { cwd, env: door.machine.env });
  const record = {
    ...emptyRecord(settled, cwd),
    base: repository?.base ?? null,
    head: repository?.head ?? null,
  };
  const done = await work(call, repository).catch((error: unknown) => ({ problem: problemText(error) }));
  const whole = { ...record, ...done };
  await writeFileAtomic(join(call.out, LANE_FILE), `${JSON.stringify(whole, null, 2)}\n`);
  return whole;
}

/** What an earlier call left here would be taken for this one's. */
async function removeEarlier(out: string): Promise<void> {
  if ((await stat(join(out, LANE_FILE)).catch(() => null)) === null) return;
  for (const name of [LANE_FILE, "results"]) await rm(join(out, name), { recursive: true, force: true });
}

interface LaneCall {
  readonly settled: LaneSettled;
  /** What the caller said of it: the settings of the base fill in the rest. */
  readonly given: Given<typeof LANE>;
  readonly door: OpenDoor;
  readonly out: string;
}

type Done = Pick<LaneRecord, "skills" | "findings" | "root">;

async function work(call: LaneCall, repository: Repository | null): Promise<Partial<LaneRecord>> {
  const { lane } = call.settled;
  if (repository === null) return lane === "check" ? checkHere(call, []) : measureHere(call);
  await using trees = await openRunFolder("change");
  const baseTree = join(trees.path, "base");
  await writeTree(repository.base, baseTree, { top: repository.top, env: call.door.machine.env });
  const { machine } = call.door;
  const way = relative(repository.top, machine.cwd);
  const baseCwd = join(baseTree, way);
  await mkdir(baseCwd, { recursive: true });
  const skills = await changedSkills(call.settled.targets, { repository, machine, baseCwd });
  if (lane === "check") return await checkHere(call, skills);
  return await measure(call, { repository, skills, trees: trees.path, baseCwd, way });
}

/** Reads the change's files and runs nothing. */
async function checkHere({ settled, door }: LaneCall, skills: readonly ChangedSkill[]): Promise<Done> {
  const findings: Diagnostic[] = [];
  for await (const { diagnostics } of check({ targets: [...settled.targets] }, { machine: door.machine }))
    findings.push(...diagnostics);
  return { skills: skills.map(recorded), findings, root: door.machine.cwd };
}

/** Without a base every skill is measured as it is, with it and without it. */
async function measureHere(call: LaneCall): Promise<Done> {
  const { machine } = call.door;
  await benchIn(call, {
    targets: [...call.settled.targets],
    machine,
    config: await readConfig(null, machine),
    extra: {},
  });
  return { skills: [], findings: [], root: machine.cwd };
}

interface Trees {
  readonly repository: Repository;
  readonly skills: readonly ChangedSkill[];
  /** Folder for trees. */
  readonly trees: string;
  readonly baseCwd: string;
  /** From the top of the repository to where one is. */
  readonly way: string;
}

/**
 * The project is the base's, with nothing of the change but the skills' own files: its evals, settings, hooks and scripts stay
 * outside. A skill that the base has no evals for brings its own, whose scripts are trusted by nobody.
 */
async function measure(call: LaneCall, { repository, skills, trees, baseCwd, way }: Trees): Promise<Done> {
  const { machine } = call.door;
  const config = await readConfig(null, { ...machine, cwd: baseCwd });
  const tree = join(trees, "head");
  await writeTree(repository.base, tree, { top: repository.top, env: machine.env });
  const cassettes = cassettesOf(call, config, (path) =>
    join(repository.top, relative(join(trees, "base"), path)),
  );
  // The base's own recordings are no part of the project.
  const own = relative(repository.top, cassettes);
  for (const root of own.startsWith("..") ? [] : [tree, join(trees, "base")])
    await rm(join(root, own), { recursive: true, force: true });
  for (const { skill, path, evals, evalFiles } of skills) {
    if (skill === null || evals === null) continue;
    await overlaySkill(skill, join(tree, path), { evals: evals === "head" ? "bring" : "keep" });
    if (evals === "head") await bringFiles(evalFiles, { from: repository.top, to: tree });
  }
  const root = findProjectRoot(machine.cwd, machine.home) ?? machine.cwd;
  const place = {
    machine: { ...machine, cwd: join(tree, way) },
    config,
    projectRoot: join(tree, relative(repository.top, root)),
  };
  const groups = [
    { state: "compared", evals: "base", extra: { against: baseCwd } },
    { state: "compared", evals: "head", extra: { against: baseCwd, trust: false } },
    { state: "new", evals: "head", extra: { trust: false } },
  ] as const;
  for (const { state, evals, extra } of groups) {
    const targets = skills
      .filter((one) => one.state === state && one.evals === evals)
      .map(({ path }) => join(tree, path));
    if (targets.length === 0) continue;
    await requireHiding(call.settled.sandbox);
    await benchIn(call, { targets, ...place, extra, cassettes });
  }
  return { skills: skills.map(recorded), findings: [], root: tree };
}

/** What somebody else wrote must not read what is beside it, unless whoever runs the lane has said otherwise. */
async function requireHiding(wanted: string): Promise<void> {
  if (wanted !== "auto") return;
  const { name } = await findSandbox(wanted, tmpdir());
  if (createSandbox(name, {}).hidesFiles) return;
  throw new UserError(
    "ci/no-sandbox",
    `only the sandbox ${name} works here, in which the change could read this machine's files`,
    { hint: `install bubblewrap, or choose it yourself with --sandbox ${name}` },
  );
}

interface BenchPlace {
  readonly targets: readonly string[];
  readonly machine: Machine;
  readonly config: Config;
  readonly projectRoot?: string;
  readonly extra: BenchOptions;
  readonly cassettes?: string;
}

async function benchIn(
  { settled, given, door, out }: LaneCall,
  { targets, machine, config, projectRoot, extra, cassettes }: BenchPlace,
): Promise<void> {
  const { lane: _, base: __, out: ___, targets: ____, ...said } = given;
  const benched = await bench(
    {
      ...said,
      ...tapeOf(settled),
      ...extra,
      ...(cassettes !== undefined && { cassettes }),
      ...(projectRoot !== undefined && { projectRoot }),
      targets,
      workspace: join(out, "results"),
    },
    { machine, config, reporters: door.reporters, signal: door.signal },
  ).catch((error: unknown) => {
    // Where cases are fewer than shards, some have none.
    if (settled.shard !== null && error instanceof UserError && error.code === "run/nothing-selected")
      return null;
    throw error;
  });
  const [failure] = benched?.failures ?? [];
  if (failure !== undefined) throw failure.error;
  if (benched?.ended === "interrupted")
    throw new UserError("ci/interrupted", "it was stopped before all trials had run");
}

/** A live lane asks for everything, unless somebody names recordings that it may go on from. */
function tapeOf({ lane, record, cassettes }: LaneSettled): BenchOptions {
  if (lane === "replay") return { replay: "only", record: false };
  return record || cassettes === null ? {} : { replay: "auto" };
}

/** Where the change's recordings are: data, from whoever wrote the change. `here` leads from the base's tree to the change's. */
function cassettesOf(
  { settled, door }: LaneCall,
  { settings }: Config,
  here: (path: string) => string,
): string {
  const { machine } = door;
  if (settled.cassettes !== null) return resolve(machine.cwd, settled.cassettes);
  if (settings.cassettes !== null) return here(settings.cassettes);
  return projectFolder(resultsFolder(null, machine)).cassettes;
}

function requireBudget({ lane, maxCostUsd, maxTokens }: LaneSettled): void {
  if (lane !== "live" || maxCostUsd !== null || maxTokens !== null) return;
  throw new UserError("ci/no-budget", "the live lane asks models, and nothing says how much it may spend", {
    hint: "--max-cost 5",
  });
}

function emptyRecord(
  { lane, shard, harnesses, models, allowMissing }: LaneSettled,
  root: string,
): LaneRecord {
  return {
    schema: 1,
    lane,
    base: null,
    head: null,
    shard: shard === null ? null : { index: shard.index, count: shard.count },
    column: [harnesses?.join(",") ?? "", models?.join(",") ?? ""].join(" ").trim(),
    root,
    skills: [],
    findings: [],
    problem: null,
    allowMissing,
  };
}

function recorded({ name, path, state, evals, evalsChanged }: ChangedSkill): LaneRecord["skills"][number] {
  return { name, path, state, evals, evalsChanged };
}

function problemText(error: unknown): string {
  if (!(error instanceof UserError)) return thrownWords(error);
  const places = error.diagnostics.map(({ message }) => message);
  return [error.message, ...places, ...(error.hint === null ? [] : [error.hint])].join("; ");
}

/** The folder that a lane's results are in. */
export function laneResults(laneFile: string): string {
  return join(dirname(laneFile), "results");
}
