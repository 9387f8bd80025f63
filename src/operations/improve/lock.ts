import { UserError } from "../../domain/user-error.ts";
import { acquireLock } from "../../lib/file-lock.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import type { SuiteFolder } from "../../store/layout.ts";

/** Two loops on one skill would mix up their versions, so the second is refused. Disposing of it lets the next one in. */
export async function lockLoop({
  root,
  improveLock: path,
}: Pick<SuiteFolder, "root" | "improveLock">): Promise<AsyncDisposable> {
  await makeFolder(root);
  const attempt = await acquireLock(path);
  if (attempt.acquired) return attempt.lock;
  throw new UserError("improve/locked", `another assay improve is running in ${root}`, {
    hint: `wait for it, or stop it first; if you are sure it is gone, remove ${path}`,
  });
}
