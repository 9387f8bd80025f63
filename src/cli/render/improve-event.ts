import { plural, printable } from "../../operations/text.ts";
import type { ImproveEvent } from "../../operations/improve.ts";

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
    case "round": {
      const { version, result, adopted } = event.round;
      const but = event.regressed ? ", but held-out cases do worse" : "";
      return `v${version}: ${result}${result === "won" ? but : ""}${adopted && version > 0 ? ", adopted" : ""}\n`;
    }
  }
}

const WORK: Readonly<Record<(ImproveEvent & { kind: "asking" })["wanted"], string>> = {
  versions: "drafts versions, compares them and says why",
  descriptions: "proposes descriptions",
  edits: "proposes edits",
  skill: "drafts the skill",
};

function firstWords(description: string): string {
  const line = printable(description.replaceAll(/\s+/g, " "));
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}
