import type { Check } from "../../domain/check.ts";
import type { Evidence } from "../../domain/verdict.ts";
import { type Bearing, bearingOf } from "../evidence/bearing.ts";
import { citeAbsence, citeImage, citeQuote, citeUnreadable, type Cited } from "../evidence/cite.ts";
import type { EvidencePack } from "../evidence/pack.ts";
import type { CriteriaReply, SaidEvidence, SaidVerdict } from "./reply.ts";

/** What became of one criterion. */
export type Reviewed =
  | {
      readonly status: "passed" | "failed";
      readonly evidence: readonly Evidence[];
      readonly reason: string;
      readonly score: number | null;
    }
  | { readonly status: "unreadable"; readonly reason: string }
  /** `problem` is in words for the judge. */
  | { readonly status: "unsupported"; readonly problem: string };

export interface Review {
  /** By check id, for every criterion that was asked. */
  readonly byCheck: ReadonlyMap<string, Reviewed>;
  /** The judge did not fail the criterion that cannot hold. */
  readonly ledAstray: boolean;
}

export interface ReviewOptions {
  readonly byIndex: ReadonlyMap<number, Check | null>;
  readonly pack: EvidencePack;
  /** There is no further try: what has support is taken, with what is left of it. */
  readonly last: boolean;
}

/** Holds what a judge said against what it was shown. A set in which the criterion that cannot hold passes is worth nothing. */
export function reviewReply(reply: CriteriaReply, options: ReviewOptions): Review {
  const asked = [...options.byIndex];
  const said = (index: number): readonly SaidVerdict[] => reply.verdicts.filter((one) => one.index === index);
  const canary = asked.find(([, check]) => check === null)?.[0] ?? 0;
  const ledAstray = said(canary).length === 0 || said(canary).some((one) => one.passed !== false);
  const byCheck = new Map<string, Reviewed>();
  for (const [index, check] of asked) {
    if (check !== null)
      byCheck.set(check.id, ledAstray ? ASTRAY : reviewOne(said(index), check.text, options));
  }
  return { byCheck, ledAstray };
}

const ASTRAY = unsupported(
  "the judge did not fail a control criterion that cannot be true, so none of its verdicts are used",
);

function reviewOne(said: readonly SaidVerdict[], criterion: string, { pack, last }: ReviewOptions): Reviewed {
  const [verdict] = said;
  if (verdict === undefined) return unsupported("no verdict was given");
  if (said.some((other) => other.passed !== verdict.passed))
    return unsupported("two different verdicts were given");
  if (verdict.passed === null) return unsupported("passed must be true or false");
  const score = scoreOf(verdict, last);
  if (typeof score === "string") return unsupported(score);
  const bearing = bearingOf(criterion);
  const cited = verdict.evidence.map((piece) => cite(pack, piece, bearing));
  const wrong = cited.find((one) => !one.ok);
  if (wrong !== undefined && !wrong.ok && !last) return unsupported(wrong.problem);
  const good = cited.flatMap((one) => (one.ok ? [one] : []));
  const evidence = good.flatMap((one) => one.evidence);
  if (verdict.evidence.some((piece, index) => piece.kind === "unreadable" && cited[index]?.ok === true)) {
    const files = evidence.flatMap((piece) => (piece.kind === "measure" ? [piece.text] : []));
    return { status: "unreadable", reason: `unreadable: ${files.join("; ")}` };
  }
  if (good.length === 0) {
    return unsupported(wrong !== undefined && !wrong.ok ? wrong.problem : "no evidence was given");
  }
  if (verdict.passed && !good.some((one) => one.proves)) {
    return unsupported(unproven(good.flatMap((one) => one.evidence)));
  }
  return { status: verdict.passed ? "passed" : "failed", evidence, reason: verdict.reason.trim(), score };
}

/** Why what was cited, though it is there, does not make a pass. */
function unproven(evidence: readonly Evidence[]): string {
  if (evidence.every(({ kind }) => kind === "quote"))
    return "a pass that only quotes what the agent was given, or what has nothing to do with the criterion";
  if (evidence.some(({ kind }) => kind === "absence"))
    return "a pass because something is missing, which the criterion does not ask for: quote what shows that it holds";
  return "a pass based only on a list of tools or files: quote what shows that it holds";
}

/** The score, or what is wrong with it. */
function scoreOf({ score, passed }: SaidVerdict, last: boolean): number | null | string {
  if (score === null) return last ? null : "score must be a number from 0 to 1";
  const clamped = Math.min(1, Math.max(0, score));
  if (clamped !== score && !last) return "score must be from 0 to 1";
  if (clamped >= 0.5 !== passed)
    return "score and passed contradict each other: 0.5 or more exactly when passed";
  return clamped;
}

function cite(pack: EvidencePack, { kind, text, sources }: SaidEvidence, bearing: Bearing): Cited {
  switch (kind) {
    case "quote":
      return citeQuote(pack, text, sources[0] ?? "", bearing);
    case "absence":
      return citeAbsence(pack, sources, bearing);
    case "image":
      return citeImage(pack, text, sources[0] ?? "", bearing);
    case "unreadable":
      return citeUnreadable(pack, sources);
    default:
      return { ok: false, problem: "evidence of an unknown kind" };
  }
}

function unsupported(problem: string): Reviewed {
  return { status: "unsupported", problem };
}
