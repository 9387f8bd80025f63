import { UserError } from "../../domain/user-error.ts";
import { shownPath } from "../../lib/shown-path.ts";
import type { Machine } from "../../machine.ts";

/** Turns what the system says against writing where the user asked for it into a UserError. */
export async function writing<T>(
  path: string,
  { cwd }: Pick<Machine, "cwd">,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined || code === undefined) throw error;
    throw new UserError(
      "file/unwritable",
      `${shownPath(path, cwd)} cannot be written: ${WHY[code] ?? code}`,
      {
        hint: "choose another path",
        cause: error,
      },
    );
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "no file can be made there",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "a part of its path is a file",
  ENAMETOOLONG: "the name is too long",
};
