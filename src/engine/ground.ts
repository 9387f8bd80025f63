import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Skill } from "../domain/skill.ts";
import type { Suite } from "../domain/suite.ts";
import { treeHash } from "../lib/tree-hash.ts";
import { findProjectRoot } from "../load/project-root.ts";
import type { Client, Harness } from "../run/harness.ts";
import { whyOverlayFails } from "../run/process/probe.ts";
import { chooseSandbox } from "../run/choose-sandbox.ts";
import type { ProbeSetup } from "../run/probe.ts";
import type { TrialParts } from "../run/trial.ts";
import { prepareBase } from "../run/workspace/base.ts";
import { Discards } from "../run/workspace/discard.ts";
import { hiddenPaths } from "../run/workspace/hidden.ts";
import { chooseMethod, supportsReflink } from "../run/workspace/method.ts";
import { openRunRoot, type RunRoot, sweepRunRoots } from "../run/workspace/run-root.ts";
import { SharedLayers } from "../run/workspace/shared-layers.ts";
import type { Terminal } from "../cli/terminal.ts";

/** Where the trials of one suite will run; disposing of it removes every workspace. */
export interface Ground extends AsyncDisposable {
  readonly parts: TrialParts;
  readonly projectRoot: string | null;
  readonly projectDigest: string;
  /** What a person should know about it. */
  readonly notes: readonly string[];
}

export async function prepareGround(
  suite: Suite,
  {
    harness,
    client,
    sandboxName,
    hidden: unseen,
    terminal,
    probe,
    versions,
    projectRoot,
    slot,
  }: {
    harness: Harness;
    client: Client;
    sandboxName: string;
    /** Absolute paths never visible to an agent: the results, recordings. */
    hidden: readonly string[];
    terminal: Terminal;
    slot: TrialParts["slot"];
    /** Other versions of the skill, which no agent is to find in the project. */
    versions: readonly Skill[];
    /** Absolute; null: agents start in an empty workspace. */
    projectRoot: string | null;
    /** How trigger probes are staged, and the project's skills that they are not to find by themselves. */
    probe: Omit<ProbeSetup, "base"> & { readonly others: readonly Skill[] };
  },
): Promise<Ground> {
  const hidden = [...hiddenPaths(suite, projectRoot), ...unseen];
  const { sandbox, note } = await chooseSandbox(sandboxName, {
    hidden: [...hidden, ...(projectRoot === null ? [] : [projectRoot])],
  });
  const root = await openWorkspaces();
  const discards = new Discards(join(root.path, "discarded"));
  try {
    const overlay = sandbox.contained && (await whyOverlayFails(sandbox, root.path)) === null;
    const method = chooseMethod({ overlay, reflink: overlay ? false : await supportsReflink(root.path) });
    const own = [...(suite.skill === null ? [] : [suite.skill]), ...versions];
    const bare = (name: string, skills: readonly Skill[]) =>
      prepareBase(projectRoot, { directory: join(root.path, name), skills, hidden, env: terminal.env });
    const base = await bare("base", own);
    const { others, ...setup } = probe;
    const probeBase = others.length === 0 ? base : await bare("probe-base", [...own, ...others]);
    return {
      parts: {
        harness,
        client,
        sandbox,
        root: root.path,
        base,
        probe: { ...setup, base: probeBase },
        method,
        layers: new SharedLayers(join(root.path, "layer")),
        hostEnv: terminal.env,
        now: () => new Date(),
        slot,
        discard: discards.add,
      },
      projectRoot,
      projectDigest: await treeHash(base.directory, { skip: (path) => path === ".git" }),
      notes: [...(note === null ? [] : [note]), ...base.notes],
      async [Symbol.asyncDispose]() {
        await discards.settled();
        await root[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await root[Symbol.asyncDispose]();
    throw error;
  }
}

export function projectRootOf({ skill, files }: Suite, terminal: Terminal): string | null {
  const start = skill?.root ?? dirname(files[0]?.path ?? join(terminal.cwd, "x"));
  return findProjectRoot(start, terminal.env["HOME"] ?? null);
}

/** Workspaces that a killed runner left are removed on the way. */
async function openWorkspaces(): Promise<RunRoot> {
  const candidates = [...new Set([tmpdir(), "/tmp", "/var/tmp"])];
  for (const candidate of candidates) await sweepRunRoots(candidate, isAlive);
  return openRunRoot({ candidates, token: randomBytes(4).toString("hex"), pid: process.pid });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
