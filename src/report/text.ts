import type { Trespass, Outcome, Replay, Usage } from "../domain/run.ts";
import type { Rate } from "../domain/summary.ts";
import type { Evidence, EvidenceSource, Verdict } from "../domain/verdict.ts";

/** `28 of 30 (93 %, 95 % interval 79 to 98 %)`; `none` when nothing was counted. */
export function rateText({ passed, total, rate, low, high }: Rate): string {
  if (rate === null) return "none";
  const interval =
    low === null || high === null
      ? "no interval"
      : `95 % interval ${Math.round(low * 100)} to ${percent(high)}`;
  return `${passed} of ${total} (${percent(rate)}, ${interval})`;
}

/** The same of checks, whose interval is by case: `28 of 30 (93 %, 95 % interval by case 62 to 100 %, 6 cases)`. */
export function checksText({ passed, total, rate, low, high }: Rate, cases: number): string {
  if (rate === null) return "none";
  const interval =
    low === null || high === null
      ? "one case, no interval"
      : `95 % interval by case ${Math.round(low * 100)} to ${percent(high)}, ${cases} cases`;
  return `${passed} of ${total} (${percent(rate)}, ${interval})`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function secondsText(ms: number | null): string {
  if (ms === null) return "unknown";
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A difference, `+1.2 s`; one that tenths would round to nothing, `-40 ms`. */
export function signedSeconds(seconds: number): string {
  const sign = seconds < 0 ? "-" : "+";
  const milliseconds = Math.round(Math.abs(seconds) * 1000);
  if (milliseconds < 50) return milliseconds === 0 ? "+0.0 s" : `${sign}${milliseconds} ms`;
  return `${sign}${Math.abs(seconds).toFixed(1)} s`;
}

/** `12,345 tokens in, 678 out, $0.12`; what is unknown is said to be. */
export function usageText({
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  outputTokens,
  costUsd,
}: Usage): string {
  if (inputTokens === null && outputTokens === null)
    return costUsd === null ? "tokens and cost unknown" : money(costUsd);
  const input = inputTokens === null ? null : inputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  const tokens = `${countText(input)} tokens in, ${countText(outputTokens)} out`;
  return `${tokens}, ${costUsd === null ? "cost unknown" : money(costUsd)}`;
}

function countText(count: number | null): string {
  return count === null ? "unknown" : thousands(count);
}

export function money(usd: number): string {
  return `$${usd > 0 && usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** `, about $0.40`; nothing where it is not known. */
export function aboutMoney(usd: number | null): string {
  return usd === null ? "" : `, about ${money(usd)}`;
}

export function thousands(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

export function outcomeText(outcome: Outcome): string {
  switch (outcome.status) {
    case "completed":
      return "completed";
    case "timed-out":
      return `timed out after ${secondsText(outcome.afterMs)}`;
    default:
      return outcome.message === "" ? outcome.status : `${outcome.status}: ${flush(outcome.message)}`;
  }
}

/** Without empty lines and blanks that begin one, so that whoever indents what strangers say indents all of it. */
function flush(text: string): string {
  return text.replaceAll(/\s*\n\s*/gu, "\n");
}

/** `tried to reach ~/.ssh: not there`. */
export function trespassText({ what, became }: Trespass): string {
  return `tried to ${what}: ${became}`;
}

/** A check as a person reads it: what code decides is the usual case, and everything else says who decides. */
export function checkText({ layer, text }: Pick<Verdict, "layer" | "text">): string {
  return `${DECIDED_BY[layer]}${text.replaceAll("\n", " ")}`;
}

const DECIDED_BY: Readonly<Record<Verdict["layer"], string>> = {
  L1: "",
  L2: "(extracted) ",
  L3: "(judge) ",
  trigger: "",
};

/** Why a verdict is what it is, in one line with its place; what the reason says already is not said again. */
export function verdictText({ evidence, reason, cached }: Verdict): string {
  const beside = evidence.map(evidenceText).filter((piece) => !reason.includes(piece));
  return [reason, ...beside, cached === true ? "remembered answer" : ""]
    .filter((part) => part !== "")
    .join("; ");
}

export function evidenceText(piece: Evidence): string {
  switch (piece.kind) {
    case "quote":
      return `${JSON.stringify(piece.text.length > 120 ? `${piece.text.slice(0, 117)}...` : piece.text)} in ${placeText(piece.source)}`;
    case "absence":
      return `not found in ${piece.searched.map(placeText).join(", ")}`;
    case "measure":
    case "outcome":
      return piece.text;
  }
}

function placeText(source: EvidenceSource): string {
  switch (source.kind) {
    case "output":
      return atLine("output.txt", source.line);
    case "event":
      return `event ${source.index}`;
    case "file":
      return atLine(source.path, source.line);
  }
}

function atLine(path: string, line: number | null): string {
  return line === null ? path : `${path}:${line}`;
}

/** How a replayed run fitted its recording. */
export function replayText({ match, drifts, difference, recordedAt, recordedVersion }: Replay): string {
  const count =
    match === "drift" ? ` (${drifts} tool ${drifts === 1 ? "result differs" : "results differ"})` : "";
  const when = recordedAt === null ? "" : `, recorded ${recordedAt}`;
  const version = recordedVersion === null ? "" : ` with version ${recordedVersion}`;
  return `${match}${count}${when}${version}${difference === null ? "" : `; ${difference}`}`;
}
