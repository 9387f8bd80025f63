import { plural, printable, usageText } from "../../operations/text.ts";
import type { SkillDrafted } from "../../operations/draft-from-evals.ts";
import type { Terminal } from "../terminal.ts";

/** What it is made from goes to stderr, the diff to stdout. */
export function draftedSkillReport(drafted: SkillDrafted, { out, err }: Terminal): void {
  err(`asked: ${usageText(drafted.usage)}\n`);
  switch (drafted.status) {
    case "unanswered":
      return err(`error: no skill was drafted: ${printable(drafted.reason)}\n`);
    case "against-rules": {
      const listed = drafted.problems.map((problem) => `  - ${printable(problem)}\n`).join("");
      return err(`error: the draft breaks the rules for skills, so nothing was written:\n${listed}`);
    }
    case "drafted": {
      const { train, heldOut } = drafted.split;
      err(`drafted from ${plural(train.length, "case")}; ${heldOut.length} held out\n`);
      return out(printable(drafted.change.diff));
    }
  }
}
