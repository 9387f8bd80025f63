import { createHash } from "node:crypto";
import type { Probed } from "../../improve/description/optimise.ts";
import { skillDigest } from "../../iteration/digests.ts";
import type { Split } from "../../triggers/split.ts";
import { summarizeTriggers } from "../../triggers/summarize.ts";
import type { VersionsCall } from "./open-versions.ts";
import type { VersionRunner } from "./run-version.ts";
import { copySkill } from "./skill-copy.ts";
import { withDescription } from "./skill-text.ts";

interface Probing {
  readonly call: VersionsCall;
  readonly runner: VersionRunner;
  readonly split: Split;
}

/** Asks the queries of one part with this description installed in a copy of the skill. */
export async function probe(
  description: string,
  part: "learn" | "test",
  { call, runner, split }: Probing,
  signal: AbortSignal,
): Promise<Probed> {
  const { skill, skillText, folder, suite } = call.place;
  const text = withDescription(skill, skillText, description);
  const key = createHash("sha256")
    .update(`${await skillDigest(skill)}\n${description}`)
    .digest("hex");
  const version = await copySkill(skill, text, { target: folder.described(key) });
  const cases = part === "test" ? split.test : [...split.train, ...split.validation];
  const { state, ended } = await runner.run(version, cases, signal);
  if (ended === "interrupted") return { status: "stopped", why: ended, message: "interrupted" };
  const summary = summarizeTriggers(
    { ...state, suite: suite.name },
    { threshold: call.request.options.triggerThreshold, firstRuns: Infinity, adaptiveRuns: null },
  );
  if (summary === null) throw new Error("no query was asked");
  if (summary.validity.status === "invalid")
    return { status: "stopped", why: "invalid", message: summary.validity.reason };
  return { status: "probed", queries: summary.queries };
}
