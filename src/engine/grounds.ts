import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plan } from "../domain/plan.ts";
import type { Skill } from "../domain/skill.ts";
import type { Machine } from "../machine.ts";
import { chooseSandbox } from "../run/choose-sandbox.ts";
import { whyOverlayFails } from "../run/process/probe.ts";
import type { TrialParts } from "../run/trial.ts";
import { prepareBase } from "../run/workspace/base.ts";
import { Discards } from "../run/workspace/discard.ts";
import { hiddenPaths } from "../run/workspace/hidden.ts";
import { chooseMethod, supportsReflink } from "../run/workspace/method.ts";
import { openRunRoot, type RunRoot, sweepRunRoots } from "../run/workspace/run-root.ts";
import { SharedLayers } from "../run/workspace/shared-layers.ts";
import type { Survey } from "./survey.ts";

/** What of a plan its ground is made from. */
export type GroundOf = Pick<Plan, "suite" | "harness" | "ground">;

/** The ground of one plan: made when the first trial needs it, removed when it is released. */
export interface HeldGround extends AsyncDisposable {
  readonly parts: () => Promise<TrialParts>;
}

export interface GroundsOptions {
  readonly machine: Machine;
  readonly survey: Survey;
  readonly slot: TrialParts["slot"];
}

interface Ground extends AsyncDisposable {
  readonly parts: TrialParts;
}

/** Prepares workspaces for the trials of plans; plans that stand on the same ground share it. */
export class Grounds {
  readonly #options: GroundsOptions;
  readonly #shared = new Map<string, { users: number; ground: Promise<Ground> | null }>();
  readonly #said = new Set<string>();

  constructor(options: GroundsOptions) {
    this.#options = options;
  }

  hold(plan: GroundOf): HeldGround {
    const key = keyOf(plan);
    const shared = this.#shared.get(key) ?? { users: 0, ground: null };
    this.#shared.set(key, shared);
    shared.users++;
    return {
      parts: async () => (await (shared.ground ??= this.#prepare(plan))).parts,
      [Symbol.asyncDispose]: async () => {
        shared.users--;
        if (shared.users > 0) return;
        this.#shared.delete(key);
        const ground = await shared.ground?.catch(() => null);
        await ground?.[Symbol.asyncDispose]();
      },
    };
  }

  async #prepare(plan: GroundOf): Promise<Ground> {
    const { machine, survey, slot } = this.#options;
    const { suite, ground: wanted } = plan;
    const { projectRoot } = wanted;
    const hidden = [...hiddenPaths(suite, projectRoot), ...wanted.hidden];
    const { sandbox, note } = await chooseSandbox(wanted.sandbox, {
      hidden: [...hidden, ...(projectRoot === null ? [] : [projectRoot])],
    });
    const { harness, client } = await survey.agent(plan.harness);
    const root = await openWorkspaces();
    const discards = new Discards(join(root.path, "discarded"));
    try {
      const overlay = sandbox.contained && (await whyOverlayFails(sandbox, root.path)) === null;
      const method = chooseMethod({ overlay, reflink: overlay ? false : await supportsReflink(root.path) });
      const own = [...(suite.skill === null ? [] : [suite.skill]), ...wanted.versions];
      const bare = (name: string, skills: readonly Skill[]) =>
        prepareBase(projectRoot, { directory: join(root.path, name), skills, hidden, env: machine.env });
      const base = await bare("base", own);
      const { others, body, rivals } = wanted.probe;
      const probeBase = others.length === 0 ? base : await bare("probe-base", [...own, ...others]);
      for (const one of [...(note === null ? [] : [note]), ...base.notes]) this.#say(one);
      return {
        parts: {
          harness,
          client,
          sandbox,
          root: root.path,
          base,
          probe: { body, rivals, base: probeBase },
          method,
          layers: new SharedLayers(join(root.path, "layer")),
          hostEnv: machine.env,
          now: machine.now,
          slot,
          discard: discards.add,
        },
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

  /** What holds for several grounds is said once. */
  #say(note: string): void {
    if (this.#said.has(note)) return;
    this.#said.add(note);
    this.#options.machine.note(note);
  }
}

function keyOf({ suite, harness, ground }: GroundOf): string {
  const files = (skills: readonly Skill[]) => skills.map(({ file }) => file);
  const { sandbox, projectRoot, hidden, versions, probe } = ground;
  const { body, rivals, others } = probe;
  const evals = suite.files.map(({ path }) => path);
  const skills = [suite.skill?.file ?? null, files(versions), body, files(rivals), files(others)];
  return JSON.stringify([suite.name, harness, sandbox, projectRoot, hidden, evals, skills]);
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
