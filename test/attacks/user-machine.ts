import {
  type SpawnSyncOptionsWithStringEncoding,
  type SpawnSyncReturns,
  spawn,
  spawnSync,
} from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TempTree } from "../support/temp-tree.ts";
import { environmentIn, type Neighbor } from "./hostile-skills.ts";

const NEIGHBOR = fileURLToPath(new URL("fixtures/neighbor.mjs", import.meta.url));

/** A service of this machine, until it is disposed of. */
export async function startNeighbor(): Promise<Neighbor & Disposable> {
  const name = `assay-neighbor-${process.pid}`;
  const child = spawn(process.execPath, [NEIGHBOR, "0", name], { stdio: ["pipe", "pipe", "inherit"] });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { port: Number(String(said)), name, [Symbol.dispose]: () => void child.kill() };
}

/**
 * Runs a program as the user of a machine that may be spoiled: its system can be written to, nothing of this machine's can,
 * it has the same neighbor, and no network beyond itself.
 */
export function onSpoiledMachine(
  tree: TempTree,
  { port, name }: Neighbor,
  program: readonly string[],
): SpawnSyncReturns<string> {
  const walls = [
    ...spoiledFiles(tree),
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-all",
    "--cap-drop",
    "ALL",
  ];
  // As a shell starts a program whose variables it sets: it does not hold them in its own environment.
  const { env, rest } = withoutSecrets(environmentIn(tree));
  const inside = [process.execPath, NEIGHBOR, String(port), name, "/usr/bin/env", ...env, ...program];
  return inBubble(walls, inside, rest);
}

/** The same for a program that makes namespaces itself, which takes this machine's own processes, devices and network. */
export function onSpoiledFiles(tree: TempTree, program: readonly string[]): SpawnSyncReturns<string> {
  const walls = [...spoiledFiles(tree), "--dev-bind", "/dev", "/dev", "--dev-bind", "/proc", "/proc"];
  return inBubble(walls, program, environmentIn(tree));
}

function spoiledFiles(tree: TempTree): readonly string[] {
  cpSync("/etc", tree.path("etc"), { recursive: true, verbatimSymlinks: true });
  mkdirSync(tree.path("sbin"));
  return [
    ["--ro-bind", "/", "/", "--bind", tree.root, tree.root],
    ["--bind", tree.path("etc"), "/etc", "--bind", tree.path("sbin"), "/usr/local/sbin"],
  ].flat();
}

function withoutSecrets({ env, ...rest }: ReturnType<typeof environmentIn>) {
  const entries = Object.entries(env);
  const isSecret = ([name]: readonly [string, string]) => name.endsWith("_KEY");
  return {
    env: entries.filter(isSecret).map(([name, value]) => `${name}=${value}`),
    rest: { ...rest, env: Object.fromEntries(entries.filter((entry) => !isSecret(entry))) },
  };
}

function inBubble(
  walls: readonly string[],
  inside: readonly string[],
  around: SpawnSyncOptionsWithStringEncoding,
): SpawnSyncReturns<string> {
  const ends = ["--die-with-parent", "--new-session"];
  return spawnSync("/usr/bin/bwrap", [...walls, ...ends, "--", ...inside], around);
}
