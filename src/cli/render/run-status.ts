import type { IterationStatus, RunStatus, SpendingStatus } from "../../domain/control.ts";
import type { ServiceLimit } from "../../domain/event.ts";
import { money, plural, printable, thousands } from "../../operations/text.ts";

/** One call that is at work: how far it is, what it does, what it has spent. */
export function runStatusText(status: RunStatus, now: Date): string {
  const { id, pid, state, concurrency, iterations, spending, services } = status;
  const head = `${id}  ${state} for ${elapsed(status.startedAt, now)}, ${plural(concurrency, "trial")} at once (process ${pid})`;
  return printable(
    [
      head,
      ...iterations.flatMap((one) => iterationLines(one, now)),
      `  spent ${spentText(spending)}`,
      ...Object.entries(services).flatMap(([name, limit]) => serviceLine(name, limit)),
      "",
    ].join("\n"),
  );
}

/** Agents at work beyond these are only counted. */
const MOST_SHOWN = 10;

function iterationLines(
  { suite, number, harness, model, trials, atWork, ended }: IterationStatus,
  now: Date,
): readonly string[] {
  const { planned, done, leftOut, failed } = trials;
  const counts = [
    `${done} of ${plural(planned, "trial")} done`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(leftOut === 0 ? [] : [`${leftOut} left out`]),
    ...(ended === null ? [] : [ended]),
  ];
  const rest = atWork.length - MOST_SHOWN;
  return [
    `  ${suite} iteration-${number} (${[harness, model].filter((word) => word !== null).join(", ")}): ${counts.join(", ")}`,
    ...atWork
      .slice(0, MOST_SHOWN)
      .map(
        ({ trialId, since, lastTool }) =>
          `    ${trialId}  ${elapsed(since, now)}${lastTool === null ? "" : `  ${lastTool}`}`,
      ),
    ...(rest > 0 ? [`    … and ${rest} more`] : []),
  ];
}

function spentText({ costUsd, tokens, maxCostUsd, maxTokens }: SpendingStatus): string {
  const cost = costUsd === null ? "an unknown amount" : money(costUsd);
  const used = tokens === null ? "" : `, ${thousands(tokens)} tokens`;
  return `${cost}${maxCostUsd === null ? "" : ` of ${money(maxCostUsd)}`}${used}${maxTokens === null ? "" : ` of ${thousands(maxTokens)}`}`;
}

function serviceLine(name: string, { limit, waiting, pausedMs, limited }: ServiceLimit): readonly string[] {
  if (limited === 0 && waiting === 0) return [];
  const held = pausedMs > 0 ? `, retrying in ${Math.ceil(pausedMs / 1000)} s` : "";
  return [
    `  ${name}: ${plural(Math.floor(limit), "request")} at once, ${waiting} waiting, refused ${plural(limited, "time")}${held}`,
  ];
}

function elapsed(since: string, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(since)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
