import {
  closeSync,
  type Dirent,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";

/**
 * What a sandbox must show so that the programs on the user's search path work in it: the directories themselves, and what
 * their entries stand for and run with. Of a program elsewhere, only its own installation. Directories that hold a home, or
 * that a sandbox has its own of, are left out: programs directly in them are not found inside.
 */
export function toolPaths(searchPath: string | undefined, home: string): readonly string[] {
  const tools = new Tools(home);
  for (const entry of new Set((searchPath ?? "").split(delimiter))) {
    if (isAbsolute(entry)) tools.addFolder(resolve(entry));
  }
  return tools.paths();
}

/** The same for one program: itself, its interpreter, and what that is installed with. */
export function programPaths(program: string, home: string): readonly string[] {
  const tools = new Tools(home);
  tools.addProgram(program);
  return tools.paths();
}

/** The interpreter that a script's first line names and that is not there; null: nothing is missing. */
export function missingInterpreter(program: string): string | null {
  const named = interpreterOf(program);
  return named === null || exists(named) ? null : named;
}

class Tools {
  readonly #home: string;
  readonly #found = new Set<string>();
  readonly #seen = new Set<string>();
  #left = MOST_ENTRIES;

  constructor(home: string) {
    this.#home = home;
  }

  /** Outer directories stand for what is in them. */
  paths(): readonly string[] {
    const all = [...this.#found].toSorted((a, b) => a.length - b.length);
    const outer: string[] = [];
    for (const path of all) if (!outer.some((folder) => isInside(path, folder))) outer.push(path);
    return outer.slice(0, MOST_PATHS);
  }

  addFolder(folder: string): void {
    if (this.#seen.has(folder) || isSystem(folder) || !isDirectory(folder)) return;
    this.#seen.add(folder);
    if (this.#holdsHome(folder)) return;
    this.#found.add(folder);
    const real = realOf(folder);
    this.addFolder(real);
    this.#addPrefix(dirname(folder));
    for (const entry of entriesOf(folder)) {
      if (this.#left-- <= 0) return;
      if (entry.isFile()) this.#addFile(join(real, entry.name));
      else if (entry.isSymbolicLink()) this.addProgram(join(folder, entry.name));
    }
  }

  addProgram(program: string): void {
    if (this.#seen.has(program)) return;
    this.#seen.add(program);
    const real = realOf(program);
    if (isSystem(real) || !isFile(real)) return;
    this.#addLinks(program);
    this.#addFile(real);
  }

  /** A file that no link leads to, by its real path. */
  #addFile(real: string): void {
    if (this.#found.has(real) || isSystem(real)) return;
    this.#found.add(real);
    const modules = real.split(sep).indexOf("node_modules");
    if (modules > 0)
      this.#found.add(
        real
          .split(sep)
          .slice(0, modules + 1)
          .join(sep),
      );
    else if (basename(dirname(real)) === "bin") this.addFolder(dirname(real));
    const interpreter = interpreterOf(real);
    if (interpreter !== null) this.#addInterpreter(interpreter);
  }

  /** An interpreter finds its library by the path it is called by, so links on the way count too. */
  #addInterpreter(interpreter: string): void {
    if (isSystem(interpreter)) return;
    if (basename(dirname(interpreter)) === "bin") this.addFolder(dirname(interpreter));
    this.addProgram(interpreter);
  }

  #addLinks(program: string): void {
    for (let at = program, hops = 0; hops < MOST_LINKS; hops++) {
      const target = linkOf(at);
      if (target === null) return;
      this.#found.add(at);
      at = resolve(dirname(at), target);
      if (isSystem(at)) return;
      this.#found.add(at);
      if (basename(dirname(at)) === "bin") this.addFolder(dirname(at));
    }
  }

  /** Beside `bin`, what its programs are installed with. Of a home there are too many other things of these names. */
  #addPrefix(prefix: string): void {
    if (this.#holdsHome(prefix)) return;
    for (const name of INSTALLED_WITH) {
      const path = join(prefix, name);
      if (exists(path)) this.#found.add(path);
    }
  }

  #holdsHome(folder: string): boolean {
    const real = realOf(folder);
    const kept = [this.#home, realOf(this.#home), ...OWN_OF_SANDBOX];
    return folder === sep || real === sep || kept.some((one) => isInside(one, folder) || isInside(one, real));
  }
}

/** Of node, Python (also in virtual environments), pyenv and the like. */
const INSTALLED_WITH = ["lib", "lib64", "libexec", "versions", "plugins", "pyvenv.cfg"];
const OWN_OF_SANDBOX = ["/tmp", "/var/tmp", "/proc", "/dev", "/sys", "/sandbox"];
/** Sandboxes show them anyway. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/opt", "/proc", "/dev", "/sys"];

/** More than any search path needs, fewer than make a sandbox slow or its command line too long. */
const MOST_PATHS = 1500;
const MOST_ENTRIES = 5000;
const MOST_LINKS = 8;

function isSystem(path: string): boolean {
  return SYSTEM.some((folder) => isInside(path, folder));
}

/** The program that a script's first line names by its path; one looked up by `env` is on the search path. */
function interpreterOf(file: string): string | null {
  const path = /^#!\s*(\/\S+)/u.exec(firstBytes(file))?.[1];
  return path === undefined || basename(path) === "env" ? null : path;
}

function firstBytes(file: string): string {
  try {
    const handle = openSync(file, "r");
    try {
      const buffer = Buffer.alloc(256);
      return buffer.toString("latin1", 0, readSync(handle, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    return "";
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}
