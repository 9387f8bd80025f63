import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { type Ended, environment, runNode } from "./run-node.ts";

/** Somebody else's project, with the built package among its modules and a home of its own. */
export interface Stranger extends AsyncDisposable {
  readonly root: string;
  readonly path: (...names: string[]) => string;
  readonly node: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly assay: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
}

export async function stranger(files: Readonly<Record<string, string>> = {}): Promise<Stranger> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "stranger-")));
  await mkdir(join(root, "node_modules"));
  await mkdir(join(root, "home"));
  const assay = inject("builtPackage");
  await symlink(assay, join(root, "node_modules", "assay"));
  await symlink(join(assay, "node_modules", "vitest"), join(root, "node_modules", "vitest"));
  for (const [name, text] of Object.entries({ "package.json": '{"type": "module"}', ...files })) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const node: Stranger["node"] = (args, env = {}) =>
    runNode(args, { cwd: root, env: environment(root, env) });
  return {
    root,
    path: (...names) => join(root, ...names),
    node,
    assay: (args, env) => node([join(assay, "bin", "assay.js"), ...args], env),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
