import { open, realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { UserError } from "../domain/user-error.ts";
import { findProgram } from "../lib/find-program.ts";
import { installationOf } from "./installation.ts";

/** How an installed agent program is found and logged in. */
export interface ClientOptions {
  /** A path, or a name on `searchPath`. */
  readonly program: string;
  readonly searchPath: string;
  readonly cwd: string;
  /** Variables that log the client in when no gateway stands between it and the service. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The gateway holds the client's login and no key, so the client is to speak as one that is logged in. */
  readonly loggedIn?: boolean;
  /** The client's answer to `--version`. */
  readonly versionOf: (program: string) => Promise<string | null>;
}

export interface FoundClient {
  /** Absolute, without links; throws a UserError that says how to install it. */
  program(): Promise<string>;
  describe(): Promise<{ readonly version: string | null; readonly readable: readonly string[] }>;
}

export function findClient(options: ClientOptions, words: { title: string; install: string }): FoundClient {
  const program = async (): Promise<string> => {
    const found = await findProgram(options.program, options.searchPath, options.cwd);
    if (found !== null) return realpath(found);
    const where = options.program.includes("/") ? "not a program that can be run" : "not on PATH";
    throw new UserError(
      "run/no-client",
      `${words.title} is not installed: ${JSON.stringify(options.program)} is ${where}`,
      { hint: `${words.install}, or choose another agent with --harness` },
    );
  };
  return {
    program,
    async describe() {
      const found = await program();
      const [version, interpreter] = await Promise.all([
        options.versionOf(found),
        interpreterOf(found, options),
      ]);
      return { version, readable: [...installationOf(found), ...interpreter] };
    },
  };
}

/** The folders of the program that runs a script, as the search path and as the file system know it. */
async function interpreterOf(script: string, { searchPath, cwd }: ClientOptions): Promise<readonly string[]> {
  const words = (await firstLine(script)).match(/^#!\s*(\S+)(?:\s+(?:-S\s+)?(\S+))?/u);
  if (words === null) return [];
  const [, path = "", argument = ""] = words;
  const name = basename(path) === "env" ? argument : path;
  const found = name === "" ? null : await findProgram(name, searchPath, cwd);
  if (found === null) return [];
  return [...new Set([dirname(found), dirname(await realpath(found))])];
}

async function firstLine(file: string): Promise<string> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
  return buffer.toString("latin1", 0, bytesRead).split("\n")[0] ?? "";
}
