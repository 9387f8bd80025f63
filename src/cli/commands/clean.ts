import { relative } from "node:path";
import { planRemovals, type Retention, removeIteration, storedIterations } from "../../store/clean.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit.ts";
import { positive, wholeNumber } from "../options/numbers.ts";
import { plural } from "../../lib/plural.ts";
import { resultsFolder } from "../../engine/results-folder.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MB = 1024 * 1024;
const BOUNDS = ["olderThan", "keep", "maxSize"];
const DEFAULT_DAYS = 30;

/** Removes old iterations; never one that is running. */
export const command: CliCommand = {
  define(definition) {
    definition
      .option(
        "--older-than <days>",
        "remove iterations last changed longer ago (default, where no bound is given: 30)",
        positive,
      )
      .option("--keep <n>", "keep only the newest n of each skill", wholeNumber(0))
      .option("--max-size <mb>", "remove the oldest until all together are smaller", positive)
      .option("--workspace <dir>", "where the results are (default: .assay of the project you are in)")
      .option("--dry-run", "only say what would go")
      .addHelpText("after", "\nExamples:\n  assay clean --keep 10\n  assay clean --older-than 30 --dry-run");
  },
  async run({ options, terminal }) {
    const root = resultsFolder(options, terminal);
    const stored = await storedIterations(root);
    const removals = planRemovals(stored, retentionOf(options), new Date());
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
    const kept = stored.reduce((sum, iteration) => sum + iteration.bytes, -bytes);
    const rest = `${plural(stored.length - removed, "iteration")}, ${(kept / MB).toFixed(1)} MB in ${relative(terminal.cwd, root) || "."}`;
    terminal.out(
      `${verb} ${plural(removed, "iteration")}${byRule(options)}, ${(bytes / MB).toFixed(1)} MB; left: ${rest}\n`,
    );
    return EXIT.ok;
  },
};

function byRule(options: Readonly<Record<string, unknown>>): string {
  const isDefault = BOUNDS.every((name) => options[name] === undefined);
  return isDefault ? ` older than ${DEFAULT_DAYS} days` : "";
}

/** Without any bound: 30 days. */
function retentionOf(options: Readonly<Record<string, unknown>>): Retention {
  const number = (name: string) => (typeof options[name] === "number" ? options[name] : null);
  const [days = null, keep = null, size = null] = BOUNDS.map(number);
  const none = days === null && keep === null && size === null;
  return {
    maxAgeMs: days === null ? (none ? DEFAULT_DAYS * DAY_MS : null) : days * DAY_MS,
    keep,
    maxBytes: size === null ? null : size * MB,
  };
}
