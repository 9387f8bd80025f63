import { UserError } from "../../domain/user-error.ts";
import { findProgram } from "../../lib/find-program.ts";
import type { Harness } from "../harness.ts";
import { installationOf } from "../installation.ts";
import { programDigest } from "../program-digest.ts";
import { runLineAgent } from "../line-agent/line-agent.ts";
import { namedFiles } from "../named-files.ts";
import { missingInterpreter, programPaths } from "../tool-paths.ts";

export interface CommandOptions {
  readonly program: string;
  readonly args: readonly string[];
  /** The person's PATH. */
  readonly searchPath: string;
  readonly cwd: string;
  /** The person's home directory; absent or empty: not known. */
  readonly home?: string;
}

/** Any program that takes the prompt on standard input and answers on standard output; see `docs/harnesses.md`. */
export function commandHarness({ program, args, searchPath, cwd, home = "" }: CommandOptions): Harness {
  let found: string | null = null;
  const find = async () => {
    if (found !== null) return found;
    const path = await findProgram(program, searchPath, cwd);
    const interpreter = path === null ? null : missingInterpreter(path);
    if (interpreter !== null)
      throw new UserError(
        "run/no-client",
        `${program} cannot be started: its first line names ${interpreter}`,
        {
          hint: "that program does not exist here; correct the line, e.g. #!/bin/sh",
        },
      );
    if (path !== null) return (found = path);
    throw new UserError(
      "run/no-client",
      `the command harness cannot find the program ${JSON.stringify(program)}`,
      {
        hint: "pass an executable file or a program on PATH, e.g. --harness command --command ./my-agent.sh",
      },
    );
  };
  return {
    name: "command",
    skillsFolder: ".claude/skills",
    onlyPrograms: true,
    async find() {
      const path = await find();
      const named = namedFiles(path, args, home);
      const readable = [
        ...installationOf(path),
        ...programPaths(path, home),
        ...named.flatMap((file) => [file, ...programPaths(file, home)]),
      ];
      const digest = await programDigest([path, ...named]);
      return { name: program, version: null, readable: [...new Set(readable)], digest };
    },
    async run(request, context) {
      return runLineAgent({ program: await find(), args, env: {} }, request, context);
    },
  };
}
