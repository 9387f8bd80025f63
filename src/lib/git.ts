import { execFile } from "node:child_process";
import { delimiter, isAbsolute } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where git is called, and the caller's environment: git is looked for on its PATH. */
export interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * What git prints. The repository may be a stranger's: nothing that its configuration, attributes or hooks name is run, and
 * nothing is fetched. Rejects as git fails, with `stderr`. `own` are further variables for git itself.
 */
export async function git(
  args: readonly string[],
  place: GitPlace,
  own: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = safeEnv(place.env);
  const filters = await filterNames({ cwd: place.cwd, env });
  const settings = [...SETTINGS, ...filters.flatMap(withoutFilter)];
  const options = { cwd: place.cwd, maxBuffer: 2 ** 30, env: { ...env, ...asVariables(settings), ...own } };
  return (await run("git", [...args], options)).stdout;
}

/**
 * Only the absolute directories of a search path: a relative one would mean a directory of the project that git is called in.
 */
export function absolutePath(path: string | undefined): string {
  const entries = (path ?? "").split(delimiter).filter((entry) => isAbsolute(entry));
  return entries.length > 0 ? entries.join(delimiter) : "/usr/local/bin:/usr/bin:/bin";
}

/** Programs that a repository's own configuration can name, each with the value that names none. */
const SETTINGS: readonly Setting[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.sshCommand", "false"],
  ["core.gitProxy", ""],
  ["core.askPass", ""],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.alternateRefsCommand", "true"],
  ["credential.helper", ""],
  ["diff.external", ""],
  ["gpg.program", "false"],
  ["submodule.recurse", "false"],
  ["status.submoduleSummary", "false"],
  ["safe.bareRepository", "explicit"],
];

type Setting = readonly [key: string, value: string];

/** Nothing of the caller's GIT_* variables, which may name another repository; no transport, so nothing is fetched. */
function safeEnv(env: GitPlace["env"]): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_") && name !== "SSH_ASKPASS");
  return {
    ...Object.fromEntries(kept),
    PATH: absolutePath(env["PATH"]),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** Filters have names, so each must be turned off by its own. Reading the configuration runs nothing. */
async function filterNames(options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<readonly string[]> {
  const args = ["config", "-z", "--name-only", "--get-regexp", String.raw`^filter\.`];
  const keys = await run("git", args, { ...options, maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout.split("\0"),
    () => [],
  );
  const names = keys.map((key) => /^filter\.(.*)\.[^.]*$/su.exec(key)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

function withoutFilter(name: string): readonly Setting[] {
  const off = ["clean", "smudge", "process"].map((what): Setting => [`filter.${name}.${what}`, ""]);
  return [...off, [`filter.${name}.required`, "false"]];
}

/** As variables, because a name may hold any character, `=` too. */
function asVariables(settings: readonly Setting[]): Readonly<Record<string, string>> {
  const entries = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(settings.length) };
}
