import type { Grading } from "../domain/grading.ts";
import type { Remark } from "../domain/summary.ts";
import { groupBy } from "../lib/group-by.ts";
import type { Evaluated } from "./evaluated.ts";

/** What judges and agents said beside the verdicts of one run. */
export function remarksOf({
  trialId,
  evalFeedback,
  claims,
  userNotes,
  addressed,
}: Grading): readonly Remark[] {
  const said = (kind: Remark["kind"], text: string, check: string | null = null): Remark => ({
    kind,
    trialIds: [trialId],
    check,
    text,
  });
  return [
    ...(addressed ?? []).map(({ place, text }) =>
      said("speaks-to-judge", `${place}: ${JSON.stringify(text)}`),
    ),
    ...(evalFeedback?.suggestions ?? []).map(({ assertion, reason }) =>
      said(assertion === null ? "not-covered" : "weak-check", reason, assertion),
    ),
    ...claims
      .filter(({ verified }) => !verified)
      .map(({ claim, evidence }) => said("false-claim", evidence === "" ? claim : `${claim} (${evidence})`)),
    ...(userNotes?.uncertainties ?? []).map((text) => said("uncertainty", text)),
    ...(userNotes?.needsReview ?? []).map((text) => said("needs-review", text)),
    ...(userNotes?.workarounds ?? []).map((text) => said("workaround", text)),
  ];
}

function isSilent({ evalFeedback, claims, userNotes, addressed }: Grading): boolean {
  return !evalFeedback && claims.length === 0 && !userNotes && !addressed;
}

/** Over all runs, in their order; what is said of one check of one case, or in the same words, is one remark. */
export function allRemarks({ trials, gradings }: Evaluated): readonly Remark[] {
  const every: { remark: Remark; caseId: string }[] = [];
  for (const { id, caseId } of trials) {
    const grading = gradings.get(id);
    if (grading === undefined || isSilent(grading)) continue;
    for (const remark of remarksOf(grading)) every.push({ remark, caseId });
  }
  const groups = groupBy(every, ({ remark: { kind, check, text }, caseId }) =>
    JSON.stringify([kind, caseId, check ?? text]),
  );
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    return first === undefined
      ? []
      : [{ ...first.remark, trialIds: [...new Set(alike.flatMap(({ remark }) => remark.trialIds))] }];
  });
}

/** `weak check: A1 "Output exists": an empty file would pass too`. */
export function remarkText({ kind, trialIds, check, text }: Remark): string {
  const [first = "", ...others] = trialIds;
  const place = check === null ? first : `${first.split("/", 1)[0]} ${JSON.stringify(oneLine(check, 80))}`;
  const more = others.length === 0 ? "" : ` (in ${trialIds.length} runs)`;
  return `${TITLES[kind]}: ${place}: ${oneLine(text, 300)}${more}`;
}

const TITLES: Readonly<Record<Remark["kind"], string>> = {
  "speaks-to-judge": "text that addresses the judge, not used as evidence",
  "weak-check": "weak check",
  "not-covered": "no check covers",
  "false-claim": "false claim",
  uncertainty: "the agent was unsure",
  "needs-review": "the agent asks for a review",
  workaround: "the agent worked around",
};

function oneLine(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
