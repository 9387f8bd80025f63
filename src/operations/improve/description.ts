import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { isCanary } from "../../domain/canary.ts";
import { UserError } from "../../domain/user-error.ts";
import { loopFile } from "../../improve/description/loop-file.ts";
import { optimiseDescription, type Probed, type Progress } from "../../improve/description/optimise.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { listAt, objectAt, textAt, textOrNull, textsAt } from "../../lib/loose.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { splitQueries, type Split } from "../../triggers/split.ts";
import { summarizeTriggers } from "../../triggers/summarize.ts";
import { EXIT } from "../../cli/exit.ts";
import { skillDigest } from "../../iteration/digests.ts";
import { secretsOf } from "../../engine/secrets.ts";
import { adoptText, ensureCommitted } from "./adopt.ts";
import { descriptionReport } from "../../cli/render/description.ts";
import { proposerOf, tellJudge } from "./judge.ts";
import { type RunnerCall, versionRunner, type VersionRunner } from "./run-version.ts";
import { copySkill } from "./skill-copy.ts";
import { withDescription } from "./skill-text.ts";

/** Half of what is not for learning chooses, the other half is looked at once. */
const SHARES = { validation: 0.3, test: 0.3 };

/** Finds a description that fires better. Answers the exit code. */
export async function improveDescription(call: RunnerCall, signal: AbortSignal): Promise<number> {
  const { place, raw, machine, options } = call;
  const { skill, skillText } = place;
  const apply = raw["apply"] === true;
  if (apply) await ensureCommitted(skill.file, machine);
  const original = skill.description;
  if (original === null) {
    throw new UserError("improve/no-description", `${skill.file} has no description to improve`, {
      hint: "write a first one into the frontmatter",
    });
  }
  const split = splitOf(call);
  const judge = proposerOf(call.graders.find);
  tellJudge(judge, "proposes descriptions", { suite: null, find: call.graders.find, machine });
  const runner = await versionRunner({
    ...call,
    options: { ...options, selection: { ...options.selection, mode: "trigger" } },
  });
  const rounds = raw["rounds"] as number;
  const path = place.folder.description;
  const about = {
    harness: runner.harness,
    model: runner.model,
    runs: options.runs,
    skill: await skillDigest(skill),
  };
  const mask = secretMask(secretsOf(machine.env));
  const fileOf = (progress: Progress) =>
    mask.json({ ...loopFile(progress, { split, rounds, seed: options.seed }), about });
  const progress = await optimiseDescription(
    {
      skillName: skill.name,
      skillText: mask.text(skillText),
      original,
      split,
      rounds,
      remembered: await remembered(path, { split, original, about, asksAnew: raw["cache"] === false }),
    },
    {
      judge,
      probe: async (description, part) => {
        machine.err(`${part === "test" ? "fresh test" : "trying"}: ${firstWords(description)}\n`);
        return probe({ call, runner, split, part, description }, signal);
      },
      keep: async (now) => {
        await mkdir(place.folder.root, { recursive: true });
        await writeFileAtomic(path, `${JSON.stringify(fileOf(now), null, 2)}\n`);
      },
    },
    signal,
  );
  const after =
    progress.best === null ? skillText : withDescription(skill, skillText, progress.best.description);
  if (raw["json"] === true) machine.out(`${JSON.stringify(fileOf(progress), null, 2)}\n`);
  descriptionReport(progress, { place, after, rounds, json: raw["json"] === true, machine });
  if (progress.fresh === null)
    return progress.exit?.kind === "stopped" && progress.exit.why === "interrupted"
      ? EXIT.interrupted
      : EXIT.unfinished;
  if (apply && after !== skillText && !isWorse(progress)) {
    await adoptText(skill.file, { before: skillText, after }, machine);
    machine.err("applied\n");
  }
  return progress.exit?.kind === "unanswered" ? EXIT.unfinished : EXIT.ok;
}

/** A pick that does worse on the fresh test was picked by chance. */
function isWorse({ fresh }: Progress): boolean {
  const passed = (queries: readonly { status: string }[]) =>
    queries.filter(({ status }) => status === "passed").length;
  return fresh !== null && passed(fresh.best) < passed(fresh.original);
}

function splitOf({ place, options }: RunnerCall): Split {
  const queries = place.suite.cases.filter((one) => one.kind === "trigger" && !isCanary(one));
  const split = splitQueries(queries, { seed: options.seed, shares: SHARES });
  if (split.train.length > 0 && split.validation.length > 0 && split.test.length > 0) return split;
  throw new UserError(
    "improve/few-queries",
    `${place.suite.name} has ${queries.length} trigger queries, too few to learn from some, choose by others and report on the rest`,
    {
      hint: "write at least 3 that should fire and 3 near misses that should not; 20 or more tell something",
    },
  );
}

interface ProbeCall {
  readonly call: RunnerCall;
  readonly runner: VersionRunner;
  readonly split: Split;
  readonly part: "learn" | "test";
  readonly description: string;
}

async function probe(
  { call, runner, split, part, description }: ProbeCall,
  signal: AbortSignal,
): Promise<Probed> {
  const { place, options } = call;
  const { skill, skillText } = place;
  const text = withDescription(skill, skillText, description);
  const key = createHash("sha256")
    .update(`${await skillDigest(skill)}\n${description}`)
    .digest("hex");
  const version = await copySkill(skill, text, place.folder.described(key));
  const cases = part === "test" ? split.test : [...split.train, ...split.validation];
  const { state, ended } = await runner.run(version, cases, signal);
  if (ended === "interrupted") return { status: "stopped", why: ended, message: ended };
  const summary = summarizeTriggers(
    { ...state, suite: place.suite.name },
    { threshold: options.triggerThreshold, adaptiveRuns: null },
  );
  if (summary === null) throw new Error("no query was asked");
  if (summary.validity.status === "invalid")
    return { status: "stopped", why: "invalid", message: summary.validity.reason };
  return { status: "probed", queries: summary.queries };
}

/** The descriptions that an earlier call with the same skill, agent and split was given. */
async function remembered(
  path: string,
  { split, original, about, asksAnew }: { split: Split; original: string; about: object; asksAnew: boolean },
): Promise<readonly string[]> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return [];
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return [];
  }
  const ids = (name: keyof Split) => JSON.stringify(split[name].map(({ id }) => id));
  const was = objectAt(file, "split");
  const same =
    textAt(file, "original_description") === original &&
    JSON.stringify(objectAt(file, "about")) === JSON.stringify(about) &&
    (["train", "validation", "test"] as const).every(
      (part) => JSON.stringify(textsAt(was, part)) === ids(part),
    );
  const finished = textOrNull(file, "exit_reason") !== null;
  if (!same || (finished && asksAnew)) return [];
  return listAt(file, "history")
    .slice(1)
    .map((entry) => textAt(entry, "description"));
}

function firstWords(description: string): string {
  const line = description.replaceAll(/\s+/g, " ");
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}
