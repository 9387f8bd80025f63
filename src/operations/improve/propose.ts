import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { makeFolder } from "../../lib/make-folder.ts";
import type { Diagnostic } from "../../domain/diagnostic.ts";
import { UNKNOWN_USAGE } from "../../domain/run.ts";
import type { Skill } from "../../domain/skill.ts";
import type { Case, FormatName } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Judge } from "../../grade/judge.ts";
import { type ProposalOutcome, proposeEvals } from "../../improve/proposal/propose.ts";
import { PROPOSAL_TOKENS, type ProposalContext, questionChars } from "../../improve/proposal/question.ts";
import { printable } from "../../lib/printable.ts";
import { safeRegex } from "../../lib/safe-regex/safe-regex.ts";
import { type SecretMask, secretMask } from "../../lib/secret-mask.ts";
import { BUILT_IN_FORMATS } from "../../load/formats/index.ts";
import { readSkill } from "../../load/skill.ts";
import { money, thousands, usageText } from "../../report/text.ts";
import { EXIT } from "../../cli/exit.ts";
import { inTempFolder } from "../../lib/temp-folder.ts";
import type { Graders } from "../grade/with-grading.ts";
import { textOption } from "../../cli/options/targets.ts";
import { plural } from "../../lib/plural.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import { secretsOf } from "../../engine/secrets.ts";
import type { Machine } from "../../machine.ts";
import { writing } from "../writing.ts";
import { readCaptured } from "./captured-run.ts";
import { heldByNothing } from "./held-by-nothing.ts";
import { proposerOf } from "./judge.ts";
import { loadFiles, loadProposal, type NamedText } from "./load-proposal.ts";
import { nativeCases } from "./native-cases.ts";
import { ensureFree, type ProposalPlace, proposalPlace } from "./proposal-place.ts";

export interface ProposeCall {
  readonly target: string;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly graders: Graders;
  readonly machine: Machine;
}

/** Drafts evals of a skill and writes them where the skill's evals are looked for. Answers the exit code. */
export async function propose(call: ProposeCall, signal: AbortSignal): Promise<number> {
  const { target, raw, graders, machine } = call;
  const to = raw["to"] as FormatName;
  const skill = await skillAt(target, machine);
  const place = proposalPlace(skill, to, textOption(raw["output"]), machine);
  await ensureFree(place, to, machine);
  const mask = secretMask(secretsOf(machine.env));
  const context = await contextOf(call, { skill, to, mask });
  const judge = proposerOf(graders.find);
  tellCost(context, { judge, graders, machine });
  return inTempFolder(async (folder) => {
    await using regex = safeRegex();
    const outcome = await proposeEvals(
      context,
      {
        judge,
        load: (proposal) => loadProposal(mask.json(proposal), { skill, folder: join(folder, "draft") }),
        heldByNothing: (one, stop) => heldByNothing(one, { folder, regex }, stop),
      },
      signal,
    );
    machine.err(`asked: ${usageText(outcome.usage)}\n`);
    if (outcome.status !== "proposed") return refused(outcome, machine);
    for (const { caseId, check } of outcome.dropped)
      machine.err(
        `note: dropped from ${caseId}, because it holds although nothing is done: ${printable(check.text)}\n`,
      );
    return keep(outcome.cases, { skill, to, place, folder: join(folder, "written"), machine });
  });
}

async function skillAt(target: string, machine: Machine): Promise<Skill> {
  const problems: Diagnostic[] = [];
  const skill = await readSkill(resolve(machine.cwd, target), (one) => void problems.push(one));
  if (skill !== null && /\.md$/i.test(skill.file)) return skill;
  throw new UserError("propose/no-skill", `there is no skill at ${target}`, {
    hint: "name a SKILL.md, a skill's directory or a command file",
    diagnostics: problems,
  });
}

async function contextOf(
  { raw, machine }: ProposeCall,
  { skill, to, mask }: { skill: Skill; to: FormatName; mask: SecretMask },
): Promise<ProposalContext> {
  const from = textOption(raw["from"]);
  const captured =
    from === null
      ? null
      : await readCaptured(from, { skill, results: resultsFolder(raw, machine), machine, mask });
  const context = {
    skillName: skill.name,
    skillText: mask.text(await readFile(skill.file, "utf8")),
    captured,
    // A clauditor file is one case; Skillet has no words for trigger queries.
    cases: to === "clauditor" ? 1 : (raw["cases"] as number),
    triggers: to === "skillet" ? 0 : (raw["triggers"] as number),
  };
  const tokens = tokensOf(context);
  if (tokens <= MOST_TOKENS) return context;
  throw new UserError(
    "propose/too-long",
    `the question would have about ${thousands(tokens)} tokens; at most ${thousands(MOST_TOKENS)} are sent`,
    { hint: "shorten SKILL.md by moving details into files beside it" },
  );
}

const MOST_TOKENS = 50_000;

function tokensOf(context: ProposalContext): number {
  return Math.ceil(questionChars(context) / 4);
}

/** Before anything is spent; a second call may follow when the first reply cannot be used. */
function tellCost(
  context: ProposalContext,
  { judge, graders, machine }: { judge: Judge; graders: Graders; machine: Machine },
): void {
  const inputTokens = tokensOf(context);
  const usage = { ...UNKNOWN_USAGE, inputTokens, outputTokens: PROPOSAL_TOKENS };
  const cost = graders.services.priceOf(judge.model, usage);
  const most = cost === null ? "at an unknown price" : `at most ${money(cost)}`;
  machine.err(
    `asking ${judge.model} once, twice at most: about ${thousands(inputTokens)} tokens in, up to ${thousands(PROPOSAL_TOKENS)} out, ${most} a time\n`,
  );
}

function refused(outcome: Exclude<ProposalOutcome, { status: "proposed" }>, machine: Machine): number {
  if (outcome.status === "unanswered") {
    machine.err(`error: no evals were proposed: ${printable(outcome.reason)}\n`);
  } else {
    const listed = outcome.problems.map((problem) => `  - ${printable(problem)}\n`).join("");
    machine.err(`error: what was proposed cannot be loaded, also not the second time:\n${listed}`);
  }
  machine.err("nothing was written\n");
  return EXIT.unfinished;
}

async function keep(
  cases: readonly Case[],
  {
    skill,
    to,
    place,
    folder,
    machine,
  }: { skill: Skill; to: FormatName; place: ProposalPlace; folder: string; machine: Machine },
): Promise<number> {
  const format = await BUILT_IN_FORMATS[to]();
  const written = format.write({
    path: join(place.directory, "evals.json"),
    format: "skill-creator",
    dialect: "evals",
    skillName: skill.name,
    description: null,
    cases: nativeCases(cases, to, { skill, now: new Date() }),
    extras: {},
  });
  for (const loss of written.losses) machine.note(`${to} cannot express: ${printable(loss)}`);
  const files: NamedText[] = (written.files ?? [{ name: FIRST[to], text: written.text }]).map((file) => ({
    name: place.nameOf(file.name),
    text: file.text,
  }));
  const { problems } = await loadFiles(files, { skill, folder, format: to });
  if (problems.length > 0) {
    throw new UserError(
      "propose/not-expressible",
      `what was proposed cannot be written as ${to}: ${problems.join("; ")}`,
      {
        hint: "choose another format with --to; the same question is answered from memory",
      },
    );
  }
  await ensureFree(place, to, machine);
  for (const { name, text } of files) {
    const path = join(place.directory, name);
    await writing(path, machine, async () => {
      await makeFolder(dirname(path));
      await writeFile(path, text, { flag: "wx" });
    });
    machine.out(`${relative(machine.cwd, path)}\n`);
  }
  const tasks = cases.filter(({ kind }) => kind === "task");
  const checks = tasks.reduce((sum, one) => sum + one.checks.length, 0);
  machine.err(
    `${plural(tasks.length, "case")} with ${plural(checks, "check")}, ${plural(cases.length - tasks.length, "trigger")}: read them before you trust them, then assay controls and assay run\n`,
  );
  return EXIT.ok;
}

const FIRST: Readonly<Record<FormatName, string>> = {
  "skill-creator": "evals.json",
  bmad: "evals.json",
  clauditor: "SKILL.eval.json",
  skillet: "001.yaml",
};
