import { skillPath } from "../domain/skill.ts";
import { loadOptions } from "../engine/load-options.ts";
import { loadTargets } from "../load/load.ts";
import { type Given, settle } from "../options/table.ts";
import { TARGETS } from "../options/targets.ts";
import { type Door, openDoor, sourcesOf } from "./door.ts";

/** What `names` can be told. */
export const NAMES_OPTIONS = TARGETS;
export type NamesOptions = Given<typeof NAMES_OPTIONS>;

/** What people can name on a command line; in the order they were found, each once. */
export interface ProjectNames {
  /** Absolute directories, or files of commands. */
  readonly skills: readonly string[];
  /** Case ids. */
  readonly cases: readonly string[];
}

/** Reads skills and eval files and nothing else: no plan, no history, no agent. What cannot be read is left out. */
export async function names(options: NamesOptions, door: Door): Promise<ProjectNames> {
  const open = openDoor(door);
  const { machine, config, signal } = open;
  const settled = settle(NAMES_OPTIONS, options, sourcesOf(open));
  const load = loadOptions({ ...settled, plugins: config.plugins, signal }, machine);
  const { suites } = await loadTargets(settled.targets, load);
  return {
    skills: [...new Set(suites.flatMap(({ skill }) => (skill === null ? [] : [skillPath(skill)])))],
    cases: [...new Set(suites.flatMap(({ cases }) => cases.map(({ id }) => id)))],
  };
}
