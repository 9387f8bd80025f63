import { UserError } from "../../domain/user-error.ts";

/** Says of a disk that is full where workspaces are made; answers any other error as it is. */
export function orDiskFull(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return new UserError("run/disk-full", `the disk is full: a workspace in ${folder} could not be staged`, {
    hint: "free some space or point TMPDIR elsewhere, then repeat the command with --resume; what was finished is kept",
    cause: error,
  });
}
