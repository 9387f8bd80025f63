import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import type { Skill } from "../domain/skill.ts";
import type { Case } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { loadSuites } from "../engine/load-suites.ts";
import { requireTempFolder } from "../engine/temp-folder.ts";
import { memo } from "../lib/memo.ts";
import { text } from "../options/kind.ts";
import { CASSETTES, MODELS } from "../options/models.ts";
import { required } from "../options/required.ts";
import { AGENT, RUN } from "../options/run.ts";
import { type Given, option, pick, type Settled, settle } from "../options/table.ts";
import type { IterationReport } from "../report/reporter.ts";
import { openOwnedFolder, ownedToken } from "../run/workspace/owned-folder.ts";
import { type Door, openDoor, type OpenDoor, sourcesOf } from "./door.ts";
import { openRunRequest } from "./shared/run-request.ts";
import { skillAt } from "./shared/skill-at.ts";
import { type OpenTest, openTest, type TestIdentity, type TestingWork } from "./testing/open-test.ts";

export { fileOf } from "./testing/file-of.ts";
export { NoResultError, noResultOf, type NoResultReason, NOT_RECORDED } from "./testing/no-result.ts";
export type {
  AskedQuery,
  AskedTask,
  MeasuredQuery,
  OpenTest,
  TestEnd,
  TestIdentity,
  TestRun,
} from "./testing/open-test.ts";
export type { AskedPrompt } from "./testing/prompt-case.ts";
export { type AskedRate, type SettledRate, settleRate } from "./testing/rate.ts";

/** What `openTesting` can be told. */
export const TESTING_OPTIONS = {
  skill: option(null, text, "SKILL.md, skill directory or command file"),
  file: option(null, text, "the test file: it names the results, and no agent sees it"),
  ...pick(RUN, ["evals", "projectRoot", "harnesses", "models", "concurrency", "timeoutSeconds", "sandbox"]),
  ...pick(RUN, ["network", "allowHosts", "limits", "include", "trust", "probe", "rivals", "maxRuns"]),
  ...pick(RUN, ["workspace"]),
  ...AGENT,
  ...MODELS,
  ...CASSETTES,
};
export type TestingOptions = Given<typeof TESTING_OPTIONS>;

/** The tests of one file about one skill. What they run lands in one iteration, which begins with the first run. */
export interface Testing {
  readonly skill: Skill;
  /** Of the skill's eval files. Throws a UserError where there are none. */
  readonly cases: () => Promise<readonly Case[]>;
  readonly test: (identity: TestIdentity) => OpenTest;
  /** What agents and judges cost so far; null: no budget is set, and nobody counts. */
  readonly spentUsd: () => number | null;
  /** Sums the runs up; null where there was none. Nothing can be run afterwards. */
  readonly finish: () => Promise<IterationReport | null>;
}

/**
 * Opens the way to agents and judges for tests that run a skill. Agents start in an empty workspace with the skill and the
 * files of the test, unless `projectRoot` names a project. Throws a UserError for what the caller can fix.
 */
export async function openTesting(options: TestingOptions, door: Door): Promise<Testing> {
  const open = openDoor(door);
  const { machine } = open;
  const sources = sourcesOf(open);
  const settled = required(settle(TESTING_OPTIONS, options, sources), ["skill", "file"]);
  requireOneAgent(settled);
  requireTempFolder();
  const skill = await skillAt(settled.skill, machine);
  const path = resolve(machine.cwd, settled.file);
  const scratch = await openOwnedFolder(tmpdir(), { token: ownedToken("tests"), pid: process.pid });
  try {
    const { skill: _skill, file: _file, ...given } = settled;
    const projectRoot = given.projectRoot ?? (await emptyFolder(scratch.path));
    const wishes = { ...settle(RUN, {}, sources), ...given, projectRoot, skill: null };
    const run = await openRunRequest(wishes, open, null);
    const { control: _control, ...request } = run.request;
    const work: TestingWork = {
      request,
      models: run.models,
      skill,
      names: namesOf(skill, path, machine.cwd),
      file: { ...TEST_FILE, path },
      scratch: scratch.path,
      kept: null,
      owners: new Map(),
      measured: new Map(),
    };
    const load = memo((path: string | null) => evalCases(skill, { evals: path }, open));
    return {
      skill,
      cases: () => load(settled.evals),
      test: (identity) => openTest(identity, work),
      spentUsd: () => {
        const budget = run.models.services.gateway?.budget() ?? null;
        return budget === null || budget.maxCostUsd === null ? null : budget.spent.costUsd;
      },
      finish: async () => {
        await using _scratch = scratch;
        await using _run = run;
        return work.kept === null ? null : await (await work.kept).finish();
      },
    };
  } catch (error) {
    await scratch[Symbol.asyncDispose]();
    throw error;
  }
}

const TEST_FILE = {
  format: "assay-test",
  dialect: "tests",
  skillName: null,
  description: null,
  cases: [],
  extras: {},
} as const;

function requireOneAgent({
  harnesses,
  models,
}: Pick<Settled<typeof TESTING_OPTIONS>, "harnesses" | "models">) {
  if ((harnesses?.length ?? 1) === 1 && (models?.length ?? 1) === 1) return;
  throw new UserError("testing/several", "tests run a skill on one agent and one model at a time", {
    hint: "choose one of each; ASSAY_HARNESS and ASSAY_MODEL choose for all tests of a call",
  });
}

async function emptyFolder(scratch: string): Promise<string> {
  const folder = join(scratch, "project");
  await mkdir(folder);
  return folder;
}

/** Results are told apart by the path of the test file; recordings lie beside it, so there its name is enough. */
function namesOf({ name }: Skill, file: string, cwd: string): TestingWork["names"] {
  const stem = (path: string) => path.replace(/\.[cm]?[jt]sx?$/, "");
  const path = relative(cwd, file);
  const place = path.startsWith("..") ? basename(file) : path.replaceAll(/[/\\]/g, "-");
  return { suite: `${name}.${stem(place)}`, tape: `${name}.${stem(basename(file))}` };
}

async function evalCases(
  skill: Skill,
  { evals }: Pick<Settled<typeof TESTING_OPTIONS>, "evals">,
  { machine, config, signal }: OpenDoor,
): Promise<readonly Case[]> {
  const suites = await loadSuites(
    {
      targets: evals === null ? [skill.file] : [],
      evals,
      skill: evals === null ? null : skill.file,
      strict: false,
      changed: null,
      plugins: config.plugins,
      signal,
    },
    { ...machine, note: () => {} },
  );
  const cases = suites.flatMap((suite) => suite.cases);
  if (cases.length > 0) return cases;
  throw new UserError("testing/no-evals", `the skill ${skill.name} has no eval file`, {
    hint: "write one (assay init), name it with the option evals, or run a prompt of your own with skill.run",
  });
}
