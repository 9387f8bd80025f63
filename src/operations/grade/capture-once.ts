import { countsAs } from "../../domain/run.ts";
import type { Suite } from "../../domain/suite.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import { printable } from "../../lib/printable.ts";
import { evaluate } from "../../pipeline.ts";
import { outcomeText } from "../../report/text.ts";
import { iterationFolder } from "../../store/layout.ts";
import { EXIT } from "../../cli/exit.ts";
import { readModelOptions } from "../../cli/options/models.ts";
import { openServices } from "../../engine/models/services.ts";
import { MachineStages } from "../../iteration/iterate.ts";
import type { Machine } from "../../machine.ts";
import { type CaptureFiles, keepCapture } from "./capture-files.ts";
import { silentReporter } from "./silent-reporter.ts";
import { readSomeRunOptions } from "./some-run-options.ts";
import { inTempFolder } from "./temp-folder.ts";
import { withLoad } from "./with-load.ts";

export interface CaptureCall {
  readonly suite: Suite;
  readonly words: readonly string[];
  readonly files: CaptureFiles;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly mask: SecretMask;
  readonly machine: Machine;
}

/** Runs the one case of the suite; only an output that the agent finished is kept. Answers the exit code. */
export async function captureOnce(call: CaptureCall, signal: AbortSignal): Promise<number> {
  const { suite, raw, mask, machine } = call;
  const options = await readSomeRunOptions(raw, machine);
  return inTempFolder(async (workspace) => {
    await using services = await openServices(readModelOptions(raw), machine);
    await using stages = new MachineStages({
      targets: [],
      raw,
      options: { ...options, workspace },
      variants: ["with_skill"],
      defaultRuns: { task: 1, trigger: 1 },
      machine,
      reporter: silentReporter,
      mask,
      grade: null,
      connect: services.connect,
    });
    const { reports, ended } = await evaluate(
      withLoad(stages, async () => [suite]),
      signal,
    );
    if (ended === "interrupted") return EXIT.interrupted;
    const [report] = reports;
    const [[id, folder] = ["", ""]] = report?.runFolders ?? [];
    const outcome = report?.evaluated.runs.get(id)?.run.outcome;
    if (report === undefined || outcome === undefined) throw new Error("the trial left no run");
    if (outcome.status !== "completed") {
      machine.err(`nothing was kept: ${printable(outcomeText(outcome))}\n`);
      return countsAs(outcome) === "left-out" ? EXIT.unfinished : EXIT.gateMissed;
    }
    const output = iterationFolder(report.folder).run(folder).outputText;
    const { files, words: args } = call;
    await keepCapture(files, { output, skill: suite.name, args, at: new Date(), mask });
    machine.out(`${files.output}\n`);
    return EXIT.ok;
  });
}
