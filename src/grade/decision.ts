import type { Check } from "../domain/check.ts";
import type { Evidence, Verdict } from "../domain/verdict.ts";
import type { OutputText, Subject } from "./subject.ts";

/** What code found out about one check. */
export interface Decision {
  readonly status: Verdict["status"];
  readonly reason: string;
  readonly evidence: readonly Evidence[];
}

export function passed(reason: string, evidence: readonly Evidence[]): Decision {
  return { status: "passed", reason, evidence };
}

export function failed(reason: string, evidence: readonly Evidence[]): Decision {
  return { status: "failed", reason, evidence };
}

export function unscored(reason: string): Decision {
  return { status: "unscored", reason, evidence: [] };
}

/** What every check of the output comes to where there is none. */
export function withoutOutput({ status, reason }: Exclude<OutputText, { status: "present" }>): Decision {
  return status === "missing" ? failed(reason, [{ kind: "outcome", text: reason }]) : unscored(reason);
}

export function measure(text: string): Evidence {
  return { kind: "measure", text };
}

/** Long matches are cut: a quote is there to be looked up, not to be read in full. */
export function cut(text: string): string {
  return text.length <= QUOTE_LENGTH
    ? text
    : Array.from(text.slice(0, 2 * QUOTE_LENGTH))
        .slice(0, QUOTE_LENGTH)
        .join("");
}

/** In characters. */
const QUOTE_LENGTH = 200;

export function toVerdict(check: Check, subject: Subject, decision: Decision): Verdict {
  return {
    trialId: subject.trial.id,
    checkId: check.id,
    layer: check.layer,
    text: check.text,
    score: null,
    entry: null,
    ...decision,
  };
}
