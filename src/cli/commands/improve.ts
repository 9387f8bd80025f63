import type { CliCommand } from "../command.ts";
import { defineSomeRunOptions, readSomeRunOptions } from "../../operations/grade/some-run-options.ts";
import { withGrading } from "../../operations/grade/with-grading.ts";
import { improveDescription } from "../../operations/improve/description.ts";
import { draftFromEvals } from "../../operations/improve/from-evals.ts";
import { improveInRounds } from "../../operations/improve/loop.ts";
import { findPlace } from "../../operations/improve/place.ts";
import type { RunnerCall } from "../../operations/improve/run-version.ts";
import { unlessStopped } from "../../operations/improve/unless-stopped.ts";
import { suggestOnce } from "../../operations/improve/suggest.ts";
import { interruptible } from "../interrupt.ts";
import { defineCassetteOptions } from "../../engine/models/cassettes.ts";
import { defineModelOptions } from "../options/models.ts";
import { positive, share, wholeNumber } from "../options/numbers.ts";
import { UserError } from "../../domain/user-error.ts";

const RUN_OPTIONS = [
  "--harness",
  "--model",
  "--runs",
  "--concurrency",
  "--timeout",
  "--sandbox",
  "--trust",
  "--allow-missing",
  "--trigger-threshold",
  "--probe",
  "--rivals",
  "--workspace",
  "--seed",
  "--max-turns",
  "--permission-mode",
  "--allowed-tools",
  "--mcp",
  "--agent-arg",
  "--script",
  "--command",
];

/** Turns what failed into a better skill, and never overwrites what git could not bring back. */
export const command: CliCommand = {
  define(definition) {
    definition
      .argument("<skill>", "the SKILL.md, skill directory or command file to improve")
      .option("--suggest", "one diff from the failing checks of the newest iteration; runs nothing")
      .option("--iteration <name>", "with --suggest: learn from this iteration-N instead")
      .option("--description", "find a description that fires better, by the skill's trigger queries")
      .option("--from-evals <path>", "draft a first SKILL.md where there is none, from these evals")
      .option(
        "--rounds <n>",
        "try at most this many versions; of a description, the original included",
        wholeNumber(1),
        5,
      )
      .option("--goal <share>", "end when this share of the checks passes", share, 1)
      .option("--max-minutes <n>", "begin no further round after this time", positive)
      .option("--restart", "set the history of earlier rounds aside and begin anew")
      .option("--edits <n>", "at most this many edits at once", wholeNumber(1), 4)
      .option("--apply", "write the change into SKILL.md, which must be committed")
      .option("--evals <path>", "use this eval file or directory instead of what would be found")
      .option("--json", "print only JSON");
    defineSomeRunOptions(definition, RUN_OPTIONS);
    defineModelOptions(definition);
    defineCassetteOptions(definition);
    definition.addHelpText(
      "after",
      `
Without --suggest or --description, versions of the skill are drafted from what fails, run, and compared blind with the best
so far, in rounds; .assay/<skill>/history.json tells them. A version is adopted when it wins by majority and the cases that are
held out do not suffer. Called again, it goes on where it ended.
Nothing is written into the skill without --apply, and nothing that is not committed is overwritten.

Examples:
  assay improve skills/pdf --suggest > pdf.diff    then: git apply pdf.diff, in the project's root
  assay improve skills/pdf --suggest --apply
  assay improve skills/pdf --rounds 3 --max-cost 10
  assay improve skills/pdf --description --harness codex --max-cost 5
  assay improve skills/new --from-evals evals/new --apply

Exit codes: 0 done, 2 wrong input, 3 no answer that could be used.`,
    );
  },
  async run({ args, options: raw, terminal }) {
    const [target] = args as [string];
    const options = await readSomeRunOptions(raw, terminal);
    return withGrading(raw, terminal, (graders) =>
      interruptible(
        terminal,
        (signal) => improve({ target, raw, options, graders, terminal }, signal).catch(unlessStopped(signal)),
        "interrupted: the same command goes on later (again to end at once)",
      ),
    );
  },
};

type ImproveCall = Omit<RunnerCall, "place">;

async function improve(call: ImproveCall, signal: AbortSignal): Promise<number> {
  const { target, raw, terminal } = call;
  const ways = ["suggest", "description", "fromEvals"].filter((way) => raw[way] !== undefined);
  const [way, another] = ways;
  if (another !== undefined) {
    throw new UserError("improve/which-way", "--suggest, --description and --from-evals are different ways", {
      hint: "choose one of them, or none to improve the skill in rounds",
    });
  }
  requireFitting(raw, way);
  if (way === "fromEvals") return draftFromEvals({ ...call, seed: call.options.seed }, signal);
  const place = await findPlace(target, raw, terminal);
  if (way === "suggest") return suggestOnce({ ...call, place }, signal);
  return way === "description"
    ? improveDescription({ ...call, place }, signal)
    : improveInRounds({ ...call, place }, signal);
}

/** Options that another way than the chosen one has would be ignored without a word. */
function requireFitting(raw: ImproveCall["raw"], way: string | undefined): void {
  const misplaced = OWN_OPTIONS.find(({ name, of }) => raw[name] !== undefined && way !== of);
  if (misplaced === undefined) return;
  const { flag, of } = misplaced;
  throw new UserError(
    "improve/which-way",
    `${flag} says nothing ${of === undefined ? "except about rounds" : `without --${of}`}`,
    { hint: "leave it away, or choose the way that it belongs to" },
  );
}

const OWN_OPTIONS = [
  { name: "iteration", flag: "--iteration", of: "suggest" },
  { name: "restart", flag: "--restart", of: undefined },
  { name: "maxMinutes", flag: "--max-minutes", of: undefined },
];
