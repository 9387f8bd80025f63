import { relative } from "node:path";
import { planRemovals, type Retention, removeIteration, storedIterations } from "../../store/clean.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { positive, wholeNumber } from "../numbers.ts";
import { plural } from "../render/plural.ts";
import { resultsFolder } from "../results-folder.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MB = 1024 * 1024;

/** Removes old iterations; never one that is running. */
export const command: CliCommand = {
  define(definition) {
    definition
      .option("--older-than <days>", "remove iterations last changed longer ago", positive)
      .option("--keep <n>", "keep only the newest n of each skill", wholeNumber(0))
      .option("--max-size <mb>", "remove the oldest until all together are smaller", positive)
      .option("--workspace <dir>", "where the results are (default: .assay of the project you are in)")
      .option("--dry-run", "only say what would go")
      .addHelpText("after", "\nExamples:\n  assay clean --keep 10\n  assay clean --older-than 30 --dry-run");
  },
  async run({ options, terminal }) {
    const root = resultsFolder(options, terminal);
    const removals = planRemovals(await storedIterations(root), retentionOf(options), new Date());
    let removed = 0;
    let bytes = 0;
    for (const { iteration, reason } of removals) {
      const gone = options["dryRun"] === true || (await removeIteration(iteration));
      if (!gone) continue;
      removed++;
      bytes += iteration.bytes;
      terminal.out(
        `${relative(terminal.cwd, iteration.folder.root)}  ${(iteration.bytes / MB).toFixed(1)} MB  (${reason})\n`,
      );
    }
    const verb = options["dryRun"] === true ? "would remove" : "removed";
    terminal.out(`${verb} ${plural(removed, "iteration")}, ${(bytes / MB).toFixed(1)} MB\n`);
    return EXIT.ok;
  },
};

/** Without any bound: 30 days. */
function retentionOf(options: Readonly<Record<string, unknown>>): Retention {
  const number = (name: string) => (typeof options[name] === "number" ? options[name] : null);
  const [days, keep, size] = [number("olderThan"), number("keep"), number("maxSize")];
  const none = days === null && keep === null && size === null;
  return {
    maxAgeMs: days === null ? (none ? 30 * DAY_MS : null) : days * DAY_MS,
    keep,
    maxBytes: size === null ? null : size * MB,
  };
}
