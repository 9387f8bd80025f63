import { UserError } from "../domain/user-error.ts";
import { explainRun } from "../grade/explain.ts";
import { NO_JUDGE } from "../grade/no-judge.ts";
import { storedSubject } from "../iteration/stored-subject.ts";
import { evidenceText } from "../report/text.ts";
import type { FoundRun } from "./find-run.ts";
import { withGrading } from "./grade/with-grading.ts";
import { interruptible } from "./interrupt.ts";
import { EXIT } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

/** Asks a judge over the transcript why the run failed; the agent's own session ended with its workspace. */
export async function printExplanation(
  { folder, state, finished }: FoundRun,
  { raw, terminal }: { readonly raw: Readonly<Record<string, unknown>>; readonly terminal: Terminal },
): Promise<number> {
  const one = state.cases.find((candidate) => candidate.id === finished.trial.caseId);
  const failed = (state.gradings.get(finished.trial.id)?.verdicts ?? []).filter(
    (verdict) => verdict.status === "failed",
  );
  if (one === undefined || failed.length === 0) {
    terminal.out("Nothing to explain: no check of this run failed.\n");
    return EXIT.ok;
  }
  return await withGrading(raw, terminal, async ({ find }) => {
    const judge = find(one);
    if (judge === null)
      throw new UserError("show/no-judge", "no judge can be asked for an explanation", { hint: NO_JUDGE });
    const subject = await storedSubject(
      finished,
      one,
      folder.run(finished.folder),
      state.iteration?.suite ?? null,
    );
    return await interruptible(
      terminal,
      async (signal) => {
        const told = await explainRun(judge, { subject, failed }, signal);
        if ("unexplained" in told) {
          terminal.err(`error: the judge gave no explanation that the run supports: ${told.unexplained}\n`);
          return EXIT.unfinished;
        }
        const passages = told.evidence.map((piece) => `  ${evidenceText(piece)}\n`).join("");
        terminal.out(
          `Why, says ${judge.model}\n  ${told.cause}\n\nSeen in\n${passages}\nWhat could change\n  ${told.remedy}\n`,
        );
        return EXIT.ok;
      },
      "interrupted",
    );
  });
}
