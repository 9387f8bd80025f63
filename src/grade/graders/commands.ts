import type { CommandEnd } from "../../domain/run.ts";
import { codeGrader } from "../code-grader.ts";
import { cut, type Decision, failed, measure, passed, unscored } from "../decision.ts";
import type { Grader } from "../grader.ts";

/** Checks by a command's exit code. The commands ran when the agent had ended; here it is only read what they came to. */
export function commandsGrader(): Grader {
  return codeGrader<"commands", readonly CommandEnd[]>({
    name: "commands",
    reads: "commands",
    open: async ({ run }) => run.commands ?? [],
    decisions: { shell: ({ command }, ends) => decide(ends.find((end) => end.command === command)) },
  });
}

function decide(ended: CommandEnd | undefined): Decision {
  if (ended === undefined)
    return unscored("the command was not run in this run's workspace; run the case again");
  const { end, output } = ended;
  const said = output === "" ? "" : `: ${cut(output)}`;
  switch (end.status) {
    case "exited":
      return end.code === 0
        ? passed("the command succeeded", [measure("exit code 0")])
        : failed(`the command failed${said}`, [measure(`exit code ${end.code}${said}`)]);
    case "timed-out":
      return failed("the command took too long", [measure(`more than ${end.afterSeconds} seconds${said}`)]);
    case "broken":
      return unscored(end.reason);
  }
}
