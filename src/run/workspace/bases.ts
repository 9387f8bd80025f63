import { copyFileSync, linkSync, mkdirSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";

import type { Skill } from "../../domain/skill.ts";
import { admit } from "./admit.ts";
import { type Base, barredIn, prepareBase } from "./base.ts";
import { commitAgain, type HostEnv } from "./git.ts";
import { Layer } from "./layer.ts";
import { leftOutNotes } from "./left-out.ts";
import type { ListProject } from "./project-files.ts";
import { removeLargeTree } from "./remove.ts";

/** Which project a workspace starts with, and what of it must not be there. */
export interface BaseWish {
  /** Absolute; null: agents start in an empty workspace. */
  readonly projectRoot: string | null;
  readonly skills: readonly Skill[];
  readonly hidden: readonly string[];
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
  readonly #list: ListProject;
  #serial = 0;

  /** Bases lie in this folder, which exists. */
  constructor(folder: string, { env, list }: { env: HostEnv; list: ListProject }) {
    this.#folder = folder;
    this.#env = env;
    this.#list = list;
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

  #prepare({ projectRoot, skills, hidden }: BaseWish): Promise<Base> {
    const how = { env: this.#env, list: this.#list };
    return prepareBase(projectRoot, { directory: this.#next(), skills, hidden, ...how });
  }

  /** What the skills under test mention and no agent will find. */
  async #leftOut(wish: BaseWish): Promise<readonly string[]> {
    if (wish.projectRoot === null) return [];
    const root = await realpath(wish.projectRoot);
    const listing = await this.#list(root);
    return (await Promise.all(wish.skills.map((skill) => leftOutNotes(skill, root, listing)))).flat();
  }

  async #derive(common: Base, { projectRoot, skills, hidden }: BaseWish): Promise<Base> {
    if (projectRoot === null || isExpected(this.#expected.get(projectRoot), { skills, hidden }))
      return common;
    const root = await realpath(projectRoot);
    const barred = await barredIn(root, { skills, hidden });
    const admitted = await admit(root, await this.#list(root), barred);
    const shared = [...common.entries].filter(([relative]) => admitted.entries.has(relative));
    const own = [...admitted.entries].filter(([relative]) => !common.entries.has(relative));
    if (shared.length === common.entries.size && own.length === 0) return { ...common, barred };
    const directory = this.#next();
    const layer = linked(common, directory, new Map(shared));
    const notes = [...common.notes];
    await layer.copy(root, new Map(own), {
      links: admitted.links,
      unreadable: (relative, code) =>
        void notes.push(`${relative} cannot be read (${code}) and was left out`),
    });
    await layer.seal();
    const repository = common.repository === null ? null : await commitAgain(common, directory, this.#env);
    await layer.seal();
    return { ...common, directory, entries: layer.entries, links: admitted.links, repository, barred, notes };
  }

  #next(): string {
    return path.join(this.#folder, `base-${this.#serial++}`);
  }
}

/** Nothing but this is wished for, so that the common base is it. */
function isExpected(
  expected: BaseWish | undefined,
  { skills, hidden }: Pick<BaseWish, "skills" | "hidden">,
): boolean {
  if (expected === undefined) return true;
  const files = new Set(skills.map(({ file }) => file));
  return (
    expected.skills.every(({ file }) => files.has(file)) &&
    expected.hidden.every((path) => hidden.includes(path))
  );
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
