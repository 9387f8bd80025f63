import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";

import type { Fixture } from "../../domain/suite.ts";
import type { Base } from "./base.ts";
import { readyFixture } from "./fixtures.ts";
import { type Entries, Layer } from "./layer.ts";
import { LayerContent, type StagedCopy } from "./layer-content.ts";
import type { SkillPlacement } from "./placement.ts";
import { removeTree } from "./remove.ts";

/** What is laid over the project for a trial. */
export interface LayerSpec {
  readonly base: Base;
  /** Absolute directories, laid over the project in this order. */
  readonly overlays: readonly string[];
  /** Null in the variants without an installed skill. */
  readonly skill: SkillPlacement | null;
  /** Other skills to stage beside it; absent: none. */
  readonly rivals?: readonly SkillPlacement[];
  readonly fixtures: readonly Fixture[];
}

/** A layer that is filled; nobody writes to it again. */
export interface FilledLayer {
  readonly kind: "filled";
  readonly directory: string;
  readonly entries: Entries;
  readonly skill: StagedCopy | null;
  /** Where the fixtures lie, relative to the workspace. */
  readonly inputs: readonly string[];
  readonly notes: readonly string[];
}

/** The case asks for something that cannot be staged: nothing was run, and this says why. */
export interface StagingFailure {
  readonly kind: "failed";
  readonly reason: string;
}

/** A layer in use; to be released when the trial has ended. */
export interface HeldLayer {
  readonly layer: FilledLayer;
  readonly release: () => Promise<void>;
}

/** Fills one layer for all trials that ask for the same, such as the repetitions of a case: they only read it. */
export class SharedLayers {
  readonly #prefix: string;
  /** By what they hold; the longest unused first. */
  readonly #layers = new Map<string, Shared>();
  #serial = 0;

  /** Layers lie in the run root, at this path and a number. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  async hold(spec: LayerSpec): Promise<HeldLayer | StagingFailure> {
    const key = keyOf(spec);
    const shared = this.#layers.get(key) ?? this.#begin(spec);
    this.#layers.delete(key);
    this.#layers.set(key, shared);
    shared.users++;
    try {
      const layer = await shared.filled;
      if (layer.kind === "filled") return { layer, release: () => this.#release(shared) };
      await this.#drop(key, shared);
      return layer;
    } catch (error) {
      await this.#drop(key, shared);
      throw error;
    }
  }

  #begin(spec: LayerSpec): Shared {
    const directory = `${this.#prefix}-${this.#serial++}`;
    mkdirSync(directory);
    return { users: 0, directory, filled: fill(directory, spec) };
  }

  async #release(shared: Shared): Promise<void> {
    shared.users--;
    const idle = [...this.#layers].filter(([, { users }]) => users === 0);
    const [longestUnused] = idle;
    if (longestUnused !== undefined && idle.length > MOST_IDLE) await this.#drop(...longestUnused);
  }

  async #drop(key: string, shared: Shared): Promise<void> {
    if (this.#layers.get(key) === shared) this.#layers.delete(key);
    await removeTree(shared.directory);
  }
}

interface Shared {
  users: number;
  readonly directory: string;
  readonly filled: Promise<FilledLayer | StagingFailure>;
}

/** Kept for a trial to come; beyond that the disk is worth more than the time. */
const MOST_IDLE = 32;

function keyOf({ base, overlays, skill, rivals = [], fixtures }: LayerSpec): string {
  const skills = [skill, ...rivals].map((one) =>
    one === null ? null : [one.skill.file, one.name, one.skillsFolder, one.body],
  );
  const content = JSON.stringify([base.directory, overlays, skills, fixtures]);
  return createHash("sha256").update(content).digest("hex");
}

async function fill(directory: string, spec: LayerSpec): Promise<FilledLayer | StagingFailure> {
  const layer = new Layer(directory);
  const content = new LayerContent(layer, spec.base);
  for (const overlay of spec.overlays) {
    const problem = await content.overlay(overlay);
    if (problem !== null) return { kind: "failed", reason: problem };
  }
  for (const rival of spec.rivals ?? []) await content.rival(rival);
  const skill = spec.skill === null ? null : await content.skill(spec.skill);
  const inputs: string[] = [];
  for (const fixture of spec.fixtures) {
    const ready = await readyFixture(fixture);
    if (typeof ready === "string") return { kind: "failed", reason: ready };
    const problem = await content.fixture(ready);
    if (problem !== null) return { kind: "failed", reason: problem };
    inputs.push(ready.target);
  }
  await layer.seal();
  return { kind: "filled", directory, entries: layer.entries, skill, inputs, notes: content.notes };
}
