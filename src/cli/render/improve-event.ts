import { money, plural, printable } from "../../operations/text.ts";
import type { ImproveEvent, Round } from "../../operations/improve.ts";

/** A line for a person who watches. */
export function improveEventText(event: ImproveEvent): string {
  switch (event.kind) {
    case "asking":
      return `${printable(`${event.model} (${event.judge})`)} ${WORK[event.wanted]}\n`;
    case "probing":
      return `${event.part === "test" ? "fresh test" : "trying"}: ${firstWords(event.description)}\n`;
    case "measuring":
      return `v${event.version}: running the cases\n`;
    case "drafted": {
      const { version, parent, edits, summary } = event.draft;
      const dropped = event.dropped === 0 ? "" : `, ${event.dropped} dropped`;
      return `v${version} from v${parent}: ${plural(edits.length, "edit")}${dropped}: ${printable(summary)}\n`;
    }
    case "planned":
      return `${plannedText(event)}\n`;
    case "round":
      return `v${event.round.version}: ${roundText(event.round)}\n`;
    case "confirming":
      return `v${event.version} leads: running it and v${event.against} anew on all cases\n`;
    case "confirmed":
      return `v${event.confirmation.version}: ${event.confirmation.adopted ? "confirmed" : "not confirmed"}\n`;
  }
}

const WORK: Readonly<Record<(ImproveEvent & { kind: "asking" })["wanted"], string>> = {
  versions: "drafts versions, compares them and says why",
  descriptions: "proposes descriptions",
  edits: "proposes edits",
  skill: "drafts the skill",
};

/** How a version did while it was explored. */
export function roundText({ result, leads, dropped }: Round): string {
  if (result === "baseline") return "the skill as it was";
  if (leads) return "leads";
  return dropped ? "dropped early" : result === "tie" ? "no better" : "behind";
}

function plannedText({
  exploring,
  confirming,
  minutes,
  costUsd,
}: ImproveEvent & { kind: "planned" }): string {
  const runs = `at most ${plural(exploring, "run")} to explore, then ${plural(confirming, "run")} to confirm`;
  if (minutes === null) return `${runs}; what they cost is known after the first`;
  const time = minutes < 1 ? "under 1 minute" : `about ${Math.round(minutes)} min`;
  return `${runs}: ${time}, ${costUsd === null ? "cost unknown" : `${money(costUsd)} and the judges`}`;
}

function firstWords(description: string): string {
  const line = printable(description.replaceAll(/\s+/g, " "));
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}
