import { compareBlind } from "../../compare/compare-blind.ts";
import type { Compared, Stopped } from "../../improve/loop/improve.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import type { IterationArm } from "../compare/arm.ts";
import { armPairs } from "../compare/pairs.ts";
import type { RunnerCall, VersionRun } from "./run-version.ts";

interface Side {
  readonly version: number;
  readonly run: VersionRun;
}

/** Judgements that are asked for each case: one run of each version, in both orders. */
const JUDGES = 3;

/** A tie says nothing when more than this share of the judgements is missing. */
const MOST_UNHEARD = 0.25;

/** The newer version against the older one, blind. A service that does not answer makes no tie. */
export async function compareVersions(
  newer: Side,
  older: Side,
  { call, mask }: { call: RunnerCall; mask: SecretMask },
  signal: AbortSignal,
): Promise<Compared | Stopped> {
  const { place, graders, options } = call;
  const pairs = await armPairs(armOf(older), armOf(newer), { cases: [], perCase: 1 });
  const names = { first: `v${older.version}`, second: `v${newer.version}` };
  const { winner, pairs: judged } = await compareBlind(
    {
      pairs,
      versions: names,
      markers: [names.first, names.second],
      judges: JUDGES,
      judgeFor: graders.find,
      seed: options.seed,
      folder: place.folder.versionComparison(newer.version, older.version),
      mask,
      concurrency: 4,
    },
    signal,
  );
  const problems = judged.flatMap(({ judgements }) => judgements.flatMap(({ problem }) => problem ?? []));
  if (winner === "TIE" && problems.length > MOST_UNHEARD * JUDGES * judged.length) {
    const message = `too few judges could compare ${names.second} with ${names.first}: ${problems[0]}`;
    return { status: "stopped", why: "unfinished", message };
  }
  return { status: "compared", winner: ({ first: "older", second: "newer", TIE: "tie" } as const)[winner] };
}

function armOf({ run: { folder, state } }: Side): IterationArm {
  const number = state.iteration?.number ?? 0;
  return { folder, state, name: `iteration-${number}`, number, variant: "with_skill" };
}
