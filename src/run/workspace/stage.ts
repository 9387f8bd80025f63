import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { TrialGround, WorkspaceGround } from "../sandbox.ts";
import type { SetupLayer } from "./after-setup.ts";
import type { Base } from "./base.ts";
import { copyBase } from "./copy-base.ts";
import { orDiskFull } from "./disk-full.ts";
import { agentConfigDirectory } from "./env.ts";
import { TRIAL_GIT_CONFIG } from "./git.ts";
import { type Entries, PINNED_TIME } from "./layer.ts";
import type { StagedCopy } from "./layer-content.ts";
import type { StagingMethod } from "./method.ts";
import { removeLargeTree, removeTree } from "./remove.ts";
import type { FilledLayer, HeldLayer, LayerSpec, SharedLayers, StagingFailure } from "./shared-layers.ts";

export interface StageSpec extends LayerSpec {
  /** Unique within the run root. */
  readonly id: string;
  /** The run root; see `openRunRoot`. */
  readonly root: string;
  readonly method: StagingMethod;
  readonly layers: SharedLayers;
  /** Further paths the sandbox lets the trial read. */
  readonly readable: readonly string[];
  /** Takes the trial's directories when they are no longer needed; left out: they are removed on the spot. */
  readonly discard?: (path: string) => void;
}

/** A workspace ready for its agent; disposing of it removes all of the trial's directories. */
export interface Staged extends AsyncDisposable {
  readonly kind: "staged";
  readonly method: StagingMethod;
  readonly ground: TrialGround;
  readonly base: Base;
  /** What was laid over the base, apart from it; never written to after staging. */
  readonly layer: Pick<FilledLayer, "directory" | "entries">;
  /** What a setup script changed after that; absent: there was none. */
  readonly setup?: SetupLayer;
  readonly skill: StagedCopy | null;
  /** Where the fixtures lie, relative to the workspace. */
  readonly inputs: readonly string[];
  /** When the last file had been staged, by the file system's own clock, in nanoseconds; 0 for an overlay. */
  readonly doneNs: bigint;
  /** Which directory stood where, by inode; empty for an overlay. */
  readonly directories: ReadonlyMap<string, bigint>;
  readonly notes: readonly string[];
}

/** Stages project, overlays, skill and fixtures, in this order. Leaves nothing behind unless it answers a workspace. */
export async function stageTrial(spec: StageSpec): Promise<Staged | StagingFailure> {
  const trial = path.join(spec.root, createHash("sha256").update(spec.id).digest("hex").slice(0, 10));
  mkdirSync(trial, { mode: 0o755 });
  try {
    const held = await spec.layers.hold(spec);
    if ("layer" in held)
      return await stageIn(trial, held, spec).catch((error: unknown) => unheld(held, error));
    await removeTree(trial);
    return held;
  } catch (error) {
    await removeTree(trial);
    throw orDiskFull(error, spec.root);
  }
}

async function unheld({ release }: HeldLayer, error: unknown): Promise<never> {
  await release();
  throw error;
}

async function stageIn(trial: string, { layer, release }: HeldLayer, spec: StageSpec): Promise<Staged> {
  const { base, method } = spec;
  const workspace = await lay(trial, spec, layer);
  const home = path.join(trial, "home");
  const temp = path.join(trial, "tmp");
  makeHome(home);
  mkdirSync(temp);
  const copied = workspace.kind === "directory";
  return {
    kind: "staged",
    method,
    ground: { id: spec.id, workspace, home, temp, readable: spec.readable },
    base,
    layer,
    skill: layer.skill,
    inputs: layer.inputs,
    directories: copied ? await inodes(workspace.path, [base.entries, layer.entries]) : new Map(),
    doneNs: copied ? markDone(trial) : 0n,
    notes: layer.notes,
    [Symbol.asyncDispose]: async () => {
      if (spec.discard !== undefined) spec.discard(trial);
      else await (method === "overlay" ? removeTree(trial) : removeLargeTree(trial));
      await release();
    },
  };
}

/** Makes the workspace out of base and layer. */
async function lay(trial: string, { method, base }: StageSpec, layer: FilledLayer): Promise<WorkspaceGround> {
  const at = path.join(trial, "ws");
  mkdirSync(at);
  if (method === "overlay") {
    const upper = path.join(trial, "upper");
    const work = path.join(trial, "work");
    mkdirSync(upper);
    mkdirSync(work);
    utimesSync(upper, PINNED_TIME, PINNED_TIME);
    return { kind: "overlay", lower: [layer.directory, base.directory], upper, work, mountPoint: at };
  }
  const workspace = await copyBase(base, at);
  await workspace.copy(layer.directory, layer.entries);
  await workspace.seal();
  return { kind: "directory", path: at };
}

/** Nothing but what must be there: programs make the rest when they want it. */
function makeHome(home: string): void {
  mkdirSync(home);
  mkdirSync(agentConfigDirectory(home));
  writeFileSync(path.join(home, ".gitconfig"), TRIAL_GIT_CONFIG);
}

async function inodes(root: string, all: readonly Entries[]): Promise<ReadonlyMap<string, bigint>> {
  const found = new Map<string, bigint>();
  for (const [relative, kind] of all.flatMap((entries) => [...entries])) {
    if (kind !== "directory" || found.has(relative)) continue;
    const stats = await lstat(path.join(root, relative), { bigint: true }).catch(() => null);
    if (stats?.isDirectory()) found.set(relative, stats.ino);
  }
  return found;
}

/**
 * A change time that everything staged lies before, and nothing that the agent does. File systems count it in ticks of
 * some milliseconds, so the next tick is waited for; not for long, because some tick once a second.
 */
function markDone(trial: string): bigint {
  const marker = path.join(trial, "staged");
  const mark = () => {
    writeFileSync(marker, "x");
    return statSync(marker, { bigint: true }).ctimeNs;
  };
  const staged = mark();
  const until = performance.now() + 50;
  let done = mark();
  while (done === staged && performance.now() < until) done = mark();
  return done;
}
