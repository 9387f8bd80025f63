import type { Check } from "../domain/check.ts";
import { kindOf } from "../domain/checks/index.ts";
import type { Source } from "../domain/checks/source.ts";
import type { CutEvidence, Run } from "../domain/run.ts";
import { normalizeRelative } from "../lib/relative-path.ts";
import type { Verdict } from "../domain/verdict.ts";

/** A verdict that more evidence could have changed is none where the evidence was not kept whole. */
export function onWholeEvidence(verdict: Verdict, check: Check, { cut = [] }: Pick<Run, "cut">): Verdict {
  if (verdict.status === "unscored" || STANDS[check.kind]?.includes(verdict.status) === true) return verdict;
  const missing = cut.find(
    (one) => one.of === "stream" || (restsOn(check).includes(one.of) && mayLieIn(check, one)),
  );
  if (missing === undefined) return verdict;
  return {
    ...verdict,
    status: "unscored",
    score: null,
    evidence: [],
    reason: `not everything was kept: ${missing.reason}`,
  };
}

/** A folder that was not looked into matters only to who asks for what is in it. */
function mayLieIn(check: Check, { below }: CutEvidence): boolean {
  if (below === undefined || !("path" in check) || kindOf(check).reads !== "files") return true;
  const path = normalizeRelative(check.path);
  return path === below || path.startsWith(`${below}/`) || path.startsWith("**");
}

type Part = CutEvidence["of"];

/** What each kind of source is made of. Judges are told what they are not shown, so no absence rests on it. */
const RESTS_ON: Readonly<Record<Source, readonly Part[]>> = {
  output: ["answer"],
  urls: ["answer"],
  sections: ["answer"],
  transcript: ["transcript"],
  files: ["files"],
  commands: [],
  usage: [],
  activations: [],
  everything: [],
  plugin: ["answer", "transcript", "files"],
};

function restsOn(check: Check): readonly Part[] {
  if (check.kind === "final_json") return ["answer", "transcript"];
  if (check.kind === "skill_loaded") return [];
  return RESTS_ON[kindOf(check).reads];
}

/** What is there stays there, whatever follows. */
const STANDS: Readonly<Partial<Record<Check["kind"], readonly Verdict["status"][]>>> = {
  contains: ["passed"],
  not_contains: ["failed"],
  starts_with: ["passed", "failed"],
  min_length: ["passed"],
  max_length: ["failed"],
  tool_called: ["passed"],
  tool_not_called: ["failed"],
  tool_order: ["passed"],
  skill_loaded: ["passed"],
  no_denied_tools: ["failed"],
  file_exists: ["passed"],
  file_absent: ["failed"],
  file_unchanged: ["failed"],
  file_matches: ["passed"],
};
