import { copyFileSync, linkSync, mkdirSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";

import type { Skill } from "../../domain/skill.ts";
import { admit } from "./admit.ts";
import { type Base, barredIn, prepareBase } from "./base.ts";
import { commitAgain, type HostEnv } from "./git.ts";
import { Layer } from "./layer.ts";
import { leftOutNotes } from "./left-out.ts";
import { type Listing, listProject } from "./project-files.ts";
import { removeLargeTree } from "./remove.ts";

/** Which project a workspace starts with, and what of it must not be there. */
export interface BaseWish {
  /** Absolute; null: agents start in an empty workspace. */
  readonly projectRoot: string | null;
  readonly skills: readonly Skill[];
  readonly hidden: readonly string[];
  /** Which files are there although git ignores them, the same for all of a project; absent: none. */
  readonly include?: readonly string[];
}

/** A base in use; disposing of the last one removes what only it needed. */
export interface HeldBase extends AsyncDisposable {
  readonly base: Base;
}

/**
 * The bases of one call. What all wishes for a project have in common is copied and committed once, when the first of them
 * is asked for; a base that differs shares its files and its objects with that and adds what others must not see.
 */
export class Bases {
  readonly #folder: string;
  readonly #env: HostEnv;
  /** By project; "" for none. */
  readonly #expected = new Map<string, BaseWish>();
  readonly #common = new Map<string, Promise<Base>>();
  readonly #listings = new Map<string, Promise<Listing>>();
  #serial = 0;

  /** Bases lie in this folder, which exists. */
  constructor(folder: string, env: HostEnv) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Says what will be asked for; no base of a project has been asked for yet. */
  expect(wishes: readonly BaseWish[]): void {
    for (const wish of wishes) {
      const known = this.#expected.get(wish.projectRoot ?? "");
      this.#expected.set(wish.projectRoot ?? "", known === undefined ? wish : both(known, wish));
    }
  }

  async hold(wish: BaseWish): Promise<HeldBase> {
    const common = await this.#commonOf(wish);
    const base = await this.#derive(common, wish);
    return {
      base: { ...base, notes: [...base.notes, ...(await this.#leftOut(wish))] },
      [Symbol.asyncDispose]: async () => {
        if (base.directory !== common.directory) await removeLargeTree(base.directory);
      },
    };
  }

  #commonOf(wish: BaseWish): Promise<Base> {
    const key = wish.projectRoot ?? "";
    const found = this.#common.get(key) ?? this.#prepare(this.#expected.get(key) ?? wish);
    this.#common.set(key, found);
    return found;
  }

  #prepare({ projectRoot, ...wish }: BaseWish): Promise<Base> {
    return prepareBase(projectRoot, { ...wish, directory: this.#next(), env: this.#env });
  }

  /** What the skills under test mention and no agent will find. */
  async #leftOut(wish: BaseWish): Promise<readonly string[]> {
    if (wish.projectRoot === null) return [];
    const root = await realpath(wish.projectRoot);
    const listing = await this.#listing(root, wish);
    return (await Promise.all(wish.skills.map((skill) => leftOutNotes(skill, root, listing)))).flat();
  }

  async #derive(common: Base, wish: BaseWish): Promise<Base> {
    const { projectRoot, skills, hidden } = wish;
    if (projectRoot === null) return common;
    const root = await realpath(projectRoot);
    const barred = await barredIn(root, { skills, hidden });
    const admitted = await admit(root, await this.#listing(root, wish), barred);
    const shared = [...common.entries].filter(([relative]) => admitted.entries.has(relative));
    const own = [...admitted.entries].filter(([relative]) => !common.entries.has(relative));
    if (shared.length === common.entries.size && own.length === 0) return { ...common, barred };
    const directory = this.#next();
    const layer = linked(common, directory, new Map(shared));
    await layer.copy(root, new Map(own), { links: admitted.links, unreadable: () => {} });
    await layer.seal();
    const repository = common.repository === null ? null : await commitAgain(common, directory, this.#env);
    await layer.seal();
    return { ...common, directory, entries: layer.entries, links: admitted.links, repository, barred };
  }

  #listing(root: string, { include }: BaseWish): Promise<Listing> {
    const found = this.#listings.get(root) ?? listProject(root, this.#env, include);
    this.#listings.set(root, found);
    return found;
  }

  #next(): string {
    return path.join(this.#folder, `base-${this.#serial++}`);
  }
}

function both(one: BaseWish, other: BaseWish): BaseWish {
  const files = new Set(one.skills.map(({ file }) => file));
  return {
    ...one,
    skills: [...one.skills, ...other.skills.filter(({ file }) => !files.has(file))],
    hidden: [...new Set([...one.hidden, ...other.hidden])],
  };
}

/** Nobody writes to a base again, so files need not be copied. */
function linked(common: Base, directory: string, entries: Base["entries"]): Layer {
  mkdirSync(directory, { mode: 0o755 });
  for (const [relative, kind] of entries) {
    const target = path.join(directory, relative);
    if (kind === "directory") mkdirSync(target);
    else shareFile(path.join(common.directory, relative), target);
  }
  return new Layer(directory, entries);
}

/** One file may have only so many names. */
function shareFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EMLINK") throw error;
    copyFileSync(from, to);
  }
}
