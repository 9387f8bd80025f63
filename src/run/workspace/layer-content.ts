import { realpath, stat } from "node:fs/promises";
import path from "node:path";

import type { Skill } from "../../domain/skill.ts";
import { admit } from "./admit.ts";
import type { Base } from "./base.ts";
import type { ReadyFixture } from "./fixtures.ts";
import { isAtOrBelow, type Layer } from "./layer.ts";
import { type SkillPlacement, skillPath } from "./placement.ts";
import { listTree } from "./project-files.ts";
import { copySkill } from "./skill-copy.ts";
import { throughLinks } from "./through-links.ts";

export interface StagedCopy {
  /** As the client looks for it, relative to the workspace. */
  readonly path: string;
  /** The same with links on the way resolved. */
  readonly realPath: string;
  readonly hash: string;
}

/** Fills the layer; what leads through a link of the project lands where the link points. */
export class LayerContent {
  readonly notes: string[] = [];
  readonly #layer: Layer;
  readonly #base: Base;
  readonly #links: Map<string, string>;
  /** Once staged, nothing else goes there. */
  #skill: string | null = null;
  readonly #excluded: string[] = [];

  constructor(layer: Layer, base: Base) {
    this.#layer = layer;
    this.#base = base;
    this.#links = new Map(base.links);
  }

  /** Null, or why the overlay cannot be laid. */
  async overlay(directory: string): Promise<string | null> {
    const found = await stat(directory).catch(() => null);
    if (!found?.isDirectory()) return `the overlay ${directory} is not a directory that can be read`;
    await this.#tree(directory, "", this.#base.barred.skills);
    return null;
  }

  async skill(placement: SkillPlacement): Promise<StagedCopy> {
    const at = skillPath(placement);
    const realPath = this.#place(at, false);
    const { hash, notes } = await copySkill(this.#layer, realPath, placement, this.#base);
    this.notes.push(...notes);
    await this.#exclude(realPath);
    this.#skill = realPath;
    return { path: at, realPath, hash };
  }

  /** Another skill of the project, under its own name; to be staged before the one under test, which wins. */
  async rival(placement: SkillPlacement): Promise<void> {
    const realPath = this.#place(skillPath(placement), false);
    const { notes } = await copySkill(this.#layer, realPath, placement, this.#base);
    this.notes.push(...notes.map((note) => `rival ${placement.name}: ${note}`));
    await this.#exclude(realPath);
  }

  /** All arms see the same `git status`. */
  async #exclude(path: string): Promise<void> {
    this.#excluded.push(`/${path}\n`);
    if (this.#base.repository !== null) await this.#layer.text(".git/info/exclude", this.#excluded.join(""));
  }

  /** Null, or why the fixture cannot be staged. */
  async fixture(fixture: ReadyFixture): Promise<string | null> {
    const to = this.#place(fixture.target, false);
    if (this.#isSkill(to) || (!fixture.source?.isDirectory && this.#leadsToSkill(to))) {
      return `the file ${fixture.target} cannot be staged: it would overwrite the skill under test`;
    }
    const { source } = fixture;
    if (source === null) {
      this.#links.delete(to);
      await this.#layer.text(to, fixture.content);
    } else if (source.isDirectory) await this.#tree(source.path, to, []);
    else {
      const real = await realpath(source.path);
      if (this.#base.barred.hidden.includes(real)) {
        return `the file ${fixture.target} cannot be staged: it is an eval file, which no agent may see`;
      }
      await this.#put(to, real);
    }
    return null;
  }

  /** Evals may declare what lies among them, and that is meant to be seen; eval files within it are not. */
  async #tree(directory: string, target: string, skills: readonly Skill[]): Promise<void> {
    const root = await realpath(directory);
    const hidden = this.#base.barred.hidden.filter((path) => !isAtOrBelow(root, path));
    const admitted = await admit(root, await listTree(root), { hidden, skills });
    this.notes.push(...admitted.notes);
    if (target !== "") await this.#layer.directory(target);
    for (const [relative, kind] of admitted.entries) {
      const inside = target === "" ? relative : `${target}/${relative}`;
      const to = this.#place(inside, kind === "directory");
      if (this.#isSkill(to) || (kind !== "directory" && this.#leadsToSkill(to))) continue;
      if (kind === "directory") await this.#layer.directory(to);
      else if (kind === "file") await this.#put(to, path.join(root, relative));
      else await this.#link(to, admitted.links.get(relative) ?? ".");
    }
  }

  #isSkill(to: string): boolean {
    return this.#skill !== null && isAtOrBelow(to, this.#skill);
  }

  #leadsToSkill(to: string): boolean {
    return this.#skill !== null && isAtOrBelow(this.#skill, to);
  }

  #place(relative: string, whole: boolean): string {
    return throughLinks(relative, (at) => this.#links.get(at), whole);
  }

  async #put(to: string, source: string): Promise<void> {
    this.#links.delete(to);
    await this.#layer.file(to, source);
  }

  async #link(to: string, target: string): Promise<void> {
    this.#links.set(to, target);
    await this.#layer.link(to, target);
  }
}
