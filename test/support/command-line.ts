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
}

/** Runs one command line in this process, as somebody with this environment and, unless said, no terminal would. */
export async function assay(
  args: readonly string[],
  { cwd, env = {}, decorated = false }: CommandSurroundings,
): Promise<CommandOutcome> {
  let out = "";
  let err = "";
  const exitCode = await main(args, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...env },
    cwd,
    decorated: { out: decorated, err: decorated },
    columns: 100,
    interactive: false,
    ask: async () => "",
  });
  return { exitCode, out, err };
}
