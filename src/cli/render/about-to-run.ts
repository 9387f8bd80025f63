import { money, printable } from "../../operations/text.ts";
import type { AboutToRun } from "../../machine.ts";

/** Three lines: what runs on what, who judges it where, and what it may take. */
export function aboutToRunText(about: AboutToRun): string {
  const { skills, agents, models, judges, sandboxes, trials, concurrency } = about;
  const lines = [
    `${shortened(skills)} with ${shortened(agents)}, model ${shortened(models) || "its own default"}`,
    `judge: ${shortened(judges) || "none needed"}; sandbox: ${shortened(sandboxes)}; ${trials} ${trials === 1 ? "trial" : "trials"}, ${concurrency} at once`,
    `estimate: ${minutesText(about.minutes)}, ${about.costUsd === null ? "cost unknown" : money(about.costUsd)}`,
  ];
  return printable(`${lines.join("\n")}\n`);
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
