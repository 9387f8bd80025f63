import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { main } from "../../src/cli/main.ts";

export interface CommandOutcome {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandSurroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** As at a terminal that shows colours. */
  readonly decorated?: boolean;
  /** How wide the terminal is; absent: 100. */
  readonly columns?: number;
  /** As somebody who sits at the terminal and answers questions; absent: nobody does. Told all of stderr before the question. */
  readonly answer?: (question: string, err: string) => string;
}

/**
 * Runs one command line in this process, as somebody with this environment and, unless said, no terminal would. What is
 * asked is in stderr, as a terminal shows it.
 */
export async function assay(
  args: readonly string[],
  { cwd, env = {}, decorated = false, columns = 100, answer }: CommandSurroundings,
): Promise<CommandOutcome> {
  let out = "";
  let err = "";
  const exitCode = await main(args, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    env: { PATH: process.env["PATH"], HOME: homeFor(cwd), ...env },
    cwd,
    decorated: { out: decorated, err: decorated },
    columns,
    interactive: answer !== undefined,
    ask: async (question) => {
      const shown = err;
      err += question;
      return answer?.(question, shown) ?? "";
    },
  });
  return { exitCode, out, err };
}

const HOMES = mkdtempSync(join(tmpdir(), "homes-"));
process.on("exit", () => rmSync(HOMES, { recursive: true, force: true }));

/** An empty home of its own for each directory in the temporary one, so that nothing is remembered from one test to another. */
function homeFor(cwd: string): string {
  const [tree = ""] = relative(tmpdir(), cwd).split(sep);
  const home = join(HOMES, tree === ".." ? "elsewhere" : tree);
  mkdirSync(home, { recursive: true });
  return home;
}
