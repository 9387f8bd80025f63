import { basename } from "node:path";
import type { Diagnostic } from "../domain/diagnostic.ts";
import { NO_SETTINGS, type Suite } from "../domain/suite.ts";
import { UserError } from "../domain/user-error.ts";
import { harnessNames } from "../engine/harness.ts";
import { loadOptions } from "../engine/load-options.ts";
import { MALFORMED_FIX, malformedKeys, malformedText } from "../engine/logins/key-shape.ts";
import { clientOf, keyedClientOf } from "../engine/logins/upstreams.ts";
import { openModels } from "../engine/models/open-models.ts";
import { agentFinding } from "../engine/preflight/agent.ts";
import { failed, failedBy, type Finding, ok, skipped } from "../engine/preflight/finding.ts";
import { judgeProgramFinding, judgeText, missingJudge } from "../engine/preflight/judge.ts";
import { keyFinding, loginFinding } from "../engine/preflight/login.ts";
import { modelMemory } from "../engine/preflight/model-memory.ts";
import { modelFinding, type ModelQuestion } from "../engine/preflight/model.ts";
import { agentQuestion, aliasFinding, judgeQuestion } from "../engine/preflight/questions.ts";
import { resultsFinding } from "../engine/preflight/results.ts";
import { sandboxFinding } from "../engine/preflight/sandbox.ts";
import { surroundings } from "../engine/preflight/surroundings.ts";
import { resultsFolder } from "../engine/results-folder.ts";
import { type RunOptions, runOptionsOf } from "../engine/run-options.ts";
import { type Survey, surveyMachine } from "../engine/survey.ts";
import { plural } from "../lib/plural.ts";
import { loadTargets } from "../load/load.ts";
import { MODELS } from "../options/models.ts";
import { RUN } from "../options/run.ts";
import { type Given, pick, settle } from "../options/table.ts";
import { PLACE, TARGETS } from "../options/targets.ts";
import type { GradingChoice } from "../providers/grading-choice.ts";
import { type Door, openDoor, type OpenDoor, sourcesOf } from "./door.ts";

export type { Finding } from "../engine/preflight/finding.ts";

/** What `doctor` can be told: what a run would be told. */
export const DOCTOR_OPTIONS = {
  ...TARGETS,
  ...pick(RUN, ["harnesses", "models", "command", "script", "sandbox"]),
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
  const { keys, open } = withoutMalformedKeys(openDoor(door));
  const { machine, config, signal } = open;
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
  const memory = modelMemory(machine);
  const looked: Looked = {
    run,
    suites,
    open,
    models,
    survey: surveyMachine(machine, { options: run, config, own: null, signal }),
    ask: (question) => modelFinding(question, { memory, signal }),
  };
  const findings = [
    ...keys,
    ...(await agentFindings(looked)),
    ...(await judgeFindings(looked)),
    await sandboxFinding(run.sandbox, looked.survey),
    ...(await surroundings(machine)),
    resultsFinding(results),
    projectFinding(looked),
    evals,
  ];
  const isReady = findings.every(({ status }) => status !== "failed");
  return { findings, verdict: isReady ? "ready" : "not-ready" };
}

/** A key that no request can carry is a finding of its own; the rest is looked at as if it were not there. */
function withoutMalformedKeys(open: OpenDoor): { keys: readonly Finding[]; open: OpenDoor } {
  const { machine } = open;
  const malformed = malformedKeys(machine.env);
  const unset = Object.fromEntries(malformed.map(({ variable }) => [variable, undefined]));
  return {
    keys: malformed.map((key) => failed("login", malformedText(key), MALFORMED_FIX)),
    open: { ...open, machine: { ...machine, env: { ...machine.env, ...unset } } },
  };
}

interface Looked {
  readonly run: RunOptions;
  readonly suites: readonly Suite[];
  readonly open: OpenDoor;
  readonly models: Awaited<ReturnType<typeof openModels>>;
  readonly survey: Survey;
  readonly ask: (question: ModelQuestion) => Promise<Finding>;
}

/** It must look at the same files. */
function checkCommand({ targets, evals, skill }: EvalWishes): string {
  const flags = [
    ...(evals === null ? [] : ["--evals", evals]),
    ...(skill === null ? [] : ["--skill", skill]),
  ];
  const words = [...targets, ...flags].map((word) =>
    /^[\w./@:-]+$/.test(word) ? word : JSON.stringify(word),
  );
  return ["assay check", ...words].join(" ");
}

function firstOf([first]: readonly Diagnostic[]): string {
  return first === undefined ? "" : `${basename(first.at?.file ?? "")}: ${first.message}`;
}

type EvalWishes = Omit<Parameters<typeof loadOptions>[0], "plugins"> & {
  readonly targets: readonly string[];
};

async function readEvals(
  settled: EvalWishes,
  { machine, config, signal }: OpenDoor,
): Promise<{ suites: readonly Suite[]; finding: Finding }> {
  const wishes = { ...settled, plugins: config.plugins, signal };
  const check = checkCommand(settled);
  try {
    const { suites, diagnostics } = await loadTargets(settled.targets, loadOptions(wishes, machine));
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const cases = suites.reduce((sum, suite) => sum + suite.cases.length, 0);
    const isNamed = settled.targets.length > 0 || settled.evals !== null || settled.skill !== null;
    const isBare = !isNamed && errors.every(({ code }) => code === "load/nothing-found");
    if (errors.length > 0 && !isBare)
      return {
        suites,
        finding: failed(
          "evals",
          `Eval files have ${plural(errors.length, "error")}: ${firstOf(errors)}.`,
          check,
        ),
      };
    if (cases === 0)
      return {
        suites,
        finding: skipped("evals", "No eval files found here. assay init writes a first case."),
      };
    return {
      suites,
      finding: ok("evals", `Loaded ${plural(cases, "case")} for ${plural(suites.length, "skill")}.`),
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { suites: [], finding: failedBy("evals", error, check) };
  }
}

async function agentFindings({
  run,
  suites,
  open,
  models,
  survey,
  ask,
}: Looked): Promise<readonly Finding[]> {
  const { machine } = open;
  const { logins } = models;
  const names = new Set(suites.flatMap((suite) => harnessNames(suite, run)));
  if (names.size === 0) names.add(run.harnesses?.[0] ?? run.fallback.harness ?? "auto");
  const findings: Finding[] = [];
  for (const name of names) {
    try {
      const { harness, client } = await survey.agent(name);
      const program = clientOf(harness.name);
      findings.push(agentFinding(harness.name, client));
      const keyed = keyedClientOf(harness.name);
      if (program !== null) findings.push(loginFinding(program, logins));
      if (keyed !== null) findings.push(keyFinding(keyed, machine.env));
      for (const model of run.models ?? [null]) {
        const one = { harness: harness.name, model };
        const question = agentQuestion(one, { machine, logins });
        const asked =
          question === null
            ? skipped("model", `${model ?? "The default model"} cannot be checked before a run.`)
            : await ask(question);
        const alias = aliasFinding(one);
        findings.push(asked.status === "failed" ? asked : (alias ?? asked));
      }
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      findings.push(failedBy("agent", error, "choose another with --harness"));
    }
  }
  return findings;
}

/** One line for each judge. */
async function judgeFindings(looked: Looked): Promise<readonly Finding[]> {
  const { suites, models } = looked;
  const one = suites.flatMap(({ cases }) => cases).find(({ kind }) => kind === "task");
  try {
    const choices = models.find.choices(one ?? { settings: NO_SETTINGS });
    return await Promise.all(choices.map((choice) => judgeFinding(choice, looked)));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [failedBy("judge", error, "assay run --help")];
  }
}

async function judgeFinding(choice: GradingChoice, { open, models, ask }: Looked): Promise<Finding> {
  if (choice.missing !== null) return missingJudge(choice.missing);
  const broken = await judgeProgramFinding(choice, open);
  if (broken !== null) return broken;
  const question = judgeQuestion(choice, { machine: open.machine, logins: models.logins });
  const asked = question === null ? null : await ask(question);
  if (asked?.status === "failed" || asked?.status === "note") return asked;
  return ok("judge", `The judge is ${judgeText(choice)}.`);
}

function projectFinding({ suites, survey }: Looked): Finding {
  const [suite] = suites;
  const root = suite === undefined ? null : survey.projectRoot(suite);
  if (root !== null) return ok("project", `The project is ${root}.`);
  return skipped("project", "No project found, so agents start in an empty workspace.");
}
