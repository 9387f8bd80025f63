import { main } from "../../src/cli/main.ts";

export interface CommandOutcome {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command line in this process, as somebody with this environment and no terminal would. */
export async function assay(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<CommandOutcome> {
  let out = "";
  let err = "";
  const exitCode = await main(args, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...env },
    cwd,
    decorated: { out: false, err: false },
    columns: 100,
    interactive: false,
  });
  return { exitCode, out, err };
}
