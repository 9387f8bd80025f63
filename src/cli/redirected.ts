import { fstatSync, readlinkSync } from "node:fs";

/** The files that standard output and standard error go to, absolute; none where they go elsewhere or that cannot be told. */
export function redirectedTo(): readonly string[] {
  return [1, 2].flatMap((descriptor) => {
    try {
      return fstatSync(descriptor).isFile() ? [readlinkSync(`/proc/self/fd/${descriptor}`)] : [];
    } catch {
      return [];
    }
  });
}
