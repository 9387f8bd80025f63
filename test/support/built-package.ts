import { execFile } from "node:child_process";
import { cp, mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { builtCommand } from "./built-command.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the package as it is published, built from the sources of this moment. */
    readonly builtPackage: string;
  }
}

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

/** Builds once for all tests of the library; gone after the last of them. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const built = await builtCommand();
  const root = dirname(dirname(built.path));
  for (const name of ["docs", "examples", "skills", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE"])
    await cp(join(PROJECT, name), join(root, name), { recursive: true });
  const tsc = join(PROJECT, "node_modules", "typescript", "bin", "tsc");
  const types = ["--project", join(PROJECT, "tsconfig.build.json"), "--outDir", join(root, "dist", "types")];
  await promisify(execFile)(process.execPath, [tsc, ...types], { cwd: PROJECT });
  // As a project has it that installs Assay and runs contract suites.
  await mkdir(join(root, "node_modules"));
  await symlink(join(PROJECT, "node_modules", "vitest"), join(root, "node_modules", "vitest"));
  provide("builtPackage", root);
  return async () => built[Symbol.asyncDispose]();
}
