import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import config from "../../rolldown.config.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

/** The command as it is published, built from the sources of this moment and apart from `dist`, which may be old. */
export async function builtCommand(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "built-")));
  for (const { output = {}, ...input } of [config].flat()) {
    await build({
      ...input,
      cwd: PROJECT,
      output: { ...[output].flat()[0], dir: join(folder, "dist") },
      logLevel: "warn",
    });
  }
  await cp(join(PROJECT, "bin"), join(folder, "bin"), { recursive: true });
  await cp(join(PROJECT, "package.json"), join(folder, "package.json"));
  return {
    path: join(folder, "bin", "assay.js"),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
