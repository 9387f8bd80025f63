import { execFile } from "node:child_process";

export interface Ended {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Calls a program with this environment alone; `as` is the user it runs as, absent: whoever runs the tests. */
export function realProcess(
  [program = "", ...args]: readonly string[],
  { cwd, env, as }: { cwd: string; env: Readonly<Record<string, string>>; as?: number },
): Promise<Ended> {
  const user = as === undefined ? {} : { uid: as, gid: as };
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env, ...user }, (error, out, err) =>
      resolve({ exitCode: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, out, err }),
    );
  });
}
