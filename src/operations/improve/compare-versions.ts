import { stat } from "node:fs/promises";
import { analyze } from "../../compare/analyze/analyze.ts";
import { compareBlind } from "../../compare/compare-blind.ts";
import { type BlindOutcome, preferredOf } from "../../compare/outcome.ts";
import type { Contender, Pair } from "../../compare/pair.ts";
import type { VersionsCompared, Stopped } from "../../improve/loop/improve.ts";
import type { ComparisonFolder } from "../../store/layout.ts";
import type { IterationArm } from "../compare/arm.ts";
import { armPairs } from "../compare/pairs.ts";
import { readSkillFiles } from "../compare/skill-text.ts";
import { seatsFor } from "../../engine/models/judges.ts";
import type { VersionsCall } from "./open-versions.ts";
import type { VersionRun } from "./run-version.ts";

interface Side {
  readonly version: number;
  readonly run: VersionRun;
}

interface Around {
  readonly call: VersionsCall;
  /** Ids of the cases that may be told of to the model that drafts. */
  readonly learnFrom: ReadonlySet<string>;
}

/** Judges on one pair are one voice, and every run of both versions is compared: one is enough to lean. */
const JUDGES = 1;

/** A tie says nothing when more than this share of the judgements is missing. */
const MOST_UNHEARD = 0.25;

/**
 * The newer version against the older one, blind, and then an analysis of why it came out so. A service that does not answer
 * makes no tie, and stops before the analysis; one that cannot give it the next time either does not hold the rounds up.
 */
export async function compareVersions(
  newer: Side,
  older: Side,
  around: Around,
  signal: AbortSignal,
): Promise<VersionsCompared | Stopped> {
  const { place, models, request } = around.call;
  const { options, mask, machine } = request;
  const pairs = await armPairs(armOf(older), armOf(newer), { cases: [], perCase: Infinity });
  const names = { first: `v${older.version}`, second: `v${newer.version}` };
  const folder = place.folder.versionComparison(newer.version, older.version);
  const isRepeated = (await stat(folder.outcome).catch(() => null)) !== null;
  const outcome = await compareBlind(
    {
      pairs,
      versions: names,
      markers: [names.first, names.second],
      judges: seatsFor(
        pairs.map((pair) => pair.second.subject.case),
        models.find,
        JUDGES,
      ),
      judgeFor: models.find,
      seed: options.seed,
      folder,
      mask,
      concurrency: options.concurrency ?? 4,
    },
    signal,
  );
  const preferred = preferredOf(outcome);
  const judgements = outcome.pairs.flatMap((pair) => pair.judgements);
  const problems = judgements.flatMap(({ problem }) => problem ?? []);
  if (preferred === null && problems.length > MOST_UNHEARD * judgements.length) {
    const message = `too few judges could compare ${names.second} with ${names.first}: ${problems[0]}`;
    return { status: "stopped", why: "unfinished", message };
  }
  const versions = { first: older, second: newer };
  const unanalyzed = await analyzeWhy({ pairs, outcome, folder, versions }, around, signal);
  if (unanalyzed !== null) {
    const message = `${names.second} against ${names.first} was not analyzed: ${unanalyzed}`;
    if (!isRepeated) return { status: "stopped", why: "unfinished", message };
    machine.note(`${message}; the next draft works without it`);
  }
  return { status: "compared", prefers: preferred === null ? "tie" : PREFERS[preferred] };
}

const PREFERS = { first: "older", second: "newer" } as const;

interface ComparedPairs {
  readonly pairs: readonly Pair[];
  readonly outcome: BlindOutcome;
  readonly folder: ComparisonFolder;
  readonly versions: Readonly<Record<Contender, Side>>;
}

/** Held-out cases are left out, because the next draft is told what comes of it. Answers why there is no analysis. */
async function analyzeWhy(
  { pairs, outcome, folder, versions }: ComparedPairs,
  { call, learnFrom }: Around,
  signal: AbortSignal,
): Promise<string | null> {
  const { place, models, request } = call;
  const learnt = pairs.flatMap((pair, index) => {
    const judged = outcome.pairs[index];
    return judged !== undefined && learnFrom.has(pair.caseId) && !judged.identical ? [{ pair, judged }] : [];
  });
  const [first] = learnt;
  const judge = first === undefined ? null : models.find(first.pair.second.subject.case);
  if (judge === null) return null;
  const skillOf = ({ version }: Side) =>
    readSkillFiles(place.folder.version(version).skill, `v${version}/skill`);
  const analysis = await analyze(
    {
      pairs: learnt.map(({ pair }) => pair),
      outcome: { ...outcome, pairs: learnt.map(({ judged }) => judged) },
      skills: { first: await skillOf(versions.first), second: await skillOf(versions.second) },
      judge,
      folder,
      mask: request.mask,
    },
    signal,
  );
  return analysis.status === "written" ? null : analysis.reason;
}

function armOf({ run: { folder, state } }: Side): IterationArm {
  const number = state.iteration?.number ?? 0;
  return { folder, state, name: `iteration-${number}`, number, variant: "with_skill" };
}
