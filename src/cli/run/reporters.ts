import { relative } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { dispatch, type Reporter } from "../../report/reporter.ts";
import { jsonReporter } from "../../report/reporters/json.ts";
import { terminalReporter } from "../../report/reporters/terminal.ts";
import type { Terminal } from "../terminal.ts";

export function makeReporters(names: readonly string[], terminal: Terminal): Required<Reporter> {
  const makers: Readonly<Record<string, () => Reporter>> = {
    terminal: () =>
      terminalReporter({
        progress: terminal.err,
        write: terminal.out,
        show: (path) => relative(terminal.cwd, path) || ".",
        mostFailures: 25,
      }),
    json: () => jsonReporter(terminal.out),
  };
  const chosen = names.map((name) => {
    const make = makers[name];
    if (make !== undefined) return make();
    throw new UserError("run/unknown-reporter", `there is no reporter ${JSON.stringify(name)}`, {
      hint: `choose from ${Object.keys(makers).join(", ")}`,
    });
  });
  return dispatch(chosen, (message) => terminal.err(`note: ${message}\n`));
}
