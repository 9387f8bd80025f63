import { dirname, sep } from "node:path";

/** The folders a program needs to read of its own installation: its package tree, or the folder above its own. */
export function installationOf(program: string): readonly string[] {
  const parts = program.split(sep);
  const modules = parts.indexOf("node_modules");
  return [modules === -1 ? dirname(program) : parts.slice(0, modules + 1).join(sep)];
}
