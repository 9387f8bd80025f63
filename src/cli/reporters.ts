import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UserError } from "../domain/user-error.ts";
import { dispatch, type Reporter } from "../report/reporter.ts";
import { jsonReporter } from "../report/reporters/json.ts";
import { junitReporter } from "../report/reporters/junit.ts";
import { terminalReporter } from "../report/reporters/terminal.ts";
import { shownPath } from "../lib/shown-path.ts";
import type { Terminal } from "./terminal.ts";

type Write = (text: string) => void;

/** The reporters by name; `NAME=FILE` writes to a file instead of standard output. */
export function makeReporters(
  names: readonly string[],
  terminal: Terminal,
  status: () => string = () => "",
): Required<Reporter> {
  const makers: Readonly<Record<string, (write: Write) => Reporter>> = {
    terminal: (write) =>
      terminalReporter({
        progress: terminal.err,
        status,
        write,
        show: (path) => shownPath(path, terminal.cwd),
        mostFailures: 25,
      }),
    json: jsonReporter,
    junit: junitReporter,
  };
  const chosen = names.map((wanted) => {
    const [name = "", ...rest] = wanted.split("=");
    const file = rest.join("=");
    const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
    if (make !== undefined) return make(file === "" ? terminal.out : fileWriter(resolve(terminal.cwd, file)));
    throw new UserError("run/unknown-reporter", `there is no reporter ${JSON.stringify(name)}`, {
      hint: `choose from ${Object.keys(makers).join(", ")}; NAME=FILE writes a file`,
    });
  });
  return dispatch(chosen, (message) => terminal.err(`note: ${message}\n`));
}

function fileWriter(path: string): Write {
  let flag = "w";
  return (text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag });
    flag = "a";
  };
}
