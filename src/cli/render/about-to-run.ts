import { money, printable } from "../../operations/text.ts";
import type { AboutToRun } from "../../machine.ts";

/** Three lines: what runs on what, who judges it where, and what it may take. */
export function aboutToRunText(about: AboutToRun): string {
  const { skills, agents, models, judges, sandboxes, trials, repeats, concurrency } = about;
  const lines = [
    `${shortened(skills)} with ${shortened(agents)}, model ${shortened(models) || "its own default"}`,
    `judge: ${shortened(judges) || "none needed"}; sandbox: ${shortened(sandboxes)}; ${trialsText(trials, concurrency)}`,
    `estimate: ${estimateText(about)}${repeatsText(repeats)}`,
  ];
  return printable(`${lines.join("\n")}\n`);
}

function estimateText({ trials, minutes, costUsd }: AboutToRun): string {
  if (trials === 0) return "nothing is left to run";
  return `${minutesText(minutes)}, ${costUsd === null ? "cost unknown" : money(costUsd)}`;
}

function trialsText(trials: number, concurrency: number): string {
  if (trials === 0) return "no trials";
  if (trials === 1) return "1 trial";
  return `${trials} trials, ${concurrency === 1 ? "one at a time" : `${concurrency} at once`}`;
}

function repeatsText(repeats: number): string {
  if (repeats === 0) return "";
  return `; at most ${repeats} more ${repeats === 1 ? "run" : "runs"} for trigger queries that chance may have decided (--max-runs)`;
}

const MOST_NAMES = 3;

function shortened(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${names.slice(0, MOST_NAMES).join(", ")} and ${more} more` : names.join(", ");
}

function minutesText(minutes: number | null): string {
  if (minutes === null) return "time unknown";
  return minutes < 1 ? "under 1 minute" : `about ${Math.round(minutes)} min`;
}
