import { dirname, sep } from "node:path";

/**
 * What a program needs to read of its own installation: itself, and its package tree or the folder it lies in. Itself
 * too, because that folder may be one that stays hidden.
 */
export function installationOf(program: string): readonly string[] {
  const parts = program.split(sep);
  const modules = parts.indexOf("node_modules");
  return [program, modules === -1 ? dirname(program) : parts.slice(0, modules + 1).join(sep)];
}
