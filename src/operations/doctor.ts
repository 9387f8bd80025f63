import { NO_SETTINGS, type Suite } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { harnessNames } from "../engine/harness.ts";
import { loadOptions } from "../engine/load-options.ts";
import { clientOf } from "../engine/logins/upstreams.ts";
import { openModels } from "../engine/models/open-models.ts";
import { agentFinding } from "../engine/preflight/agent.ts";
import { failed, type Finding, ok, skipped } from "../engine/preflight/finding.ts";
import { judgeFinding } from "../engine/preflight/judge.ts";
import { loginFinding } from "../engine/preflight/login.ts";
import { modelMemory } from "../engine/preflight/model-memory.ts";
import { modelFinding } from "../engine/preflight/model.ts";
import { agentQuestion, judgeQuestions } from "../engine/preflight/questions.ts";
import { sandboxFinding } from "../engine/preflight/sandbox.ts";
import { surroundings } from "../engine/preflight/surroundings.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { type RunOptions, runOptionsOf } from "../engine/run-options.ts";
import { surveyMachine } from "../engine/survey.ts";
import { plural } from "../lib/plural.ts";
import { loadTargets } from "../load/load.ts";
import { MODELS } from "../options/models.ts";
import { RUN } from "../options/run.ts";
import { type Given, pick, settle } from "../options/table.ts";
import { PLACE, TARGETS } from "../options/targets.ts";
import { type Door, openDoor, type OpenDoor, sourcesOf } from "./door.ts";

export type { Finding } from "../engine/preflight/finding.ts";

/** What `doctor` can be told: what a run would be told. */
export const DOCTOR_OPTIONS = {
  ...TARGETS,
  ...pick(RUN, ["harnesses", "models", "sandbox"]),
  ...pick(MODELS, ["gradingProvider", "gradingModel", "transport"]),
  ...PLACE,
};
export type DoctorOptions = Given<typeof DOCTOR_OPTIONS>;

export interface Examination {
  /** In the order in which a run would meet them. */
  readonly findings: readonly Finding[];
  readonly verdict: "ready" | "not-ready";
}

/** Would a run with these options work here? Looks at everything it needs, runs no agent and costs nothing. */
export async function doctor(options: DoctorOptions, door: Door): Promise<Examination> {
  const open = openDoor(door);
  const { machine, config } = open;
  const sources = sourcesOf(open);
  const asked = settle(DOCTOR_OPTIONS, options, sources);
  const settled = { ...settle(RUN, {}, sources), ...settle(MODELS, {}, sources), ...asked };
  const run = await runOptionsOf(settled, { settings: config.settings, machine, replay: null });
  const results = resultsFolder(settled.workspace, machine);
  const { suites, finding: evals } = await readEvals(settled, open);
  await using models = await openModels(
    { models: settled, cassettes: null, results, config, account: null },
    machine,
  );
  const looked = { run, suites, open };
  const findings = [
    ...(await agentFindings(looked, models)),
    ...(await judgeFindings(suites, models, machine)),
    await sandboxFinding(run.sandbox),
    ...(await surroundings(machine)),
    projectFinding(looked),
    evals,
  ];
  const isReady = findings.every(({ status }) => status !== "failed");
  return { findings, verdict: isReady ? "ready" : "not-ready" };
}

interface Looked {
  readonly run: RunOptions;
  readonly suites: readonly Suite[];
  readonly open: OpenDoor;
}

type Models = Awaited<ReturnType<typeof openModels>>;

async function readEvals(
  settled: Omit<Parameters<typeof loadOptions>[0], "formats"> & { readonly targets: readonly string[] },
  { machine, config }: OpenDoor,
): Promise<{ suites: readonly Suite[]; finding: Finding }> {
  const wishes = { ...settled, formats: config.plugins.formats };
  try {
    const { suites, diagnostics } = await loadTargets(settled.targets, loadOptions(wishes, machine));
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    const cases = suites.reduce((sum, suite) => sum + suite.cases.length, 0);
    if (errors > 0)
      return {
        suites,
        finding: failed("evals", `Eval files have ${plural(errors, "error")}.`, "assay check"),
      };
    if (cases === 0) return { suites, finding: skipped("evals", "No eval files were found here.") };
    return {
      suites,
      finding: ok("evals", `${plural(cases, "case")} of ${plural(suites.length, "skill")} load.`),
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { suites: [], finding: failed("evals", error.message, error.hint ?? "assay check") };
  }
}

async function agentFindings({ run, suites, open }: Looked, { logins }: Models): Promise<readonly Finding[]> {
  const { machine, config } = open;
  const survey = surveyMachine(machine, { options: run, config, own: null });
  const memory = modelMemory(machine);
  const names = new Set(suites.flatMap((suite) => harnessNames(suite, run)));
  if (names.size === 0) names.add(run.harnesses?.[0] ?? run.fallback.harness ?? "auto");
  const findings: Finding[] = [];
  for (const name of names) {
    try {
      const { harness, client } = await survey.agent(name);
      const program = clientOf(harness.name);
      findings.push(agentFinding(harness.name, client));
      if (program !== null) findings.push(loginFinding(program, logins));
      for (const model of run.models ?? [null]) {
        const question = agentQuestion({ harness: harness.name, model }, { machine, logins });
        findings.push(
          question === null
            ? skipped("model", `Nobody can be asked whether ${model ?? "the default model"} is known.`)
            : await modelFinding(question, memory),
        );
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      findings.push(failed("agent", error.message, error.hint ?? "choose another with --harness"));
    }
  }
  return findings;
}

async function judgeFindings(
  suites: readonly Suite[],
  { find }: Models,
  machine: OpenDoor["machine"],
): Promise<readonly Finding[]> {
  const one = suites.flatMap(({ cases }) => cases).find(({ kind }) => kind === "task");
  const cases = [one ?? { settings: NO_SETTINGS }];
  try {
    const here = cases.flatMap((settings) => find.choices(settings)).map(judgeFinding);
    if (here.some(({ status }) => status === "failed")) return here;
    const questions = judgeQuestions(cases, { find, machine });
    const asked = await Promise.all(
      questions.map((question) => modelFinding(question, modelMemory(machine))),
    );
    return [...here, ...asked.filter(({ status }) => status === "failed")];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [failed("judge", error.message, error.hint ?? "assay run --help")];
  }
}

function projectFinding({ suites, run, open }: Looked): Finding {
  const { machine, config } = open;
  const survey = surveyMachine(machine, { options: run, config, own: null });
  const [suite] = suites;
  const root = suite === undefined ? null : survey.projectRoot(suite);
  if (root !== null) return ok("project", `The project is ${root}.`);
  return skipped("project", "No project was found, so agents would start in an empty workspace.");
}
