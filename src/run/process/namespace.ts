import { existsSync, mkdirSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import type { TrialLimits } from "../../domain/limits.ts";
import type { Command } from "./command.ts";
import type { WorkspaceGround } from "../sandbox.ts";

/**
 * Arguments of `sh` for the first process of a PID namespace: it makes sure that `program` can be executed, says so on
 * file descriptor 3, waits for the word where its standard output is a socket, which goes both ways, runs `argv` and ends
 * with it. Its end takes the rest of the namespace along.
 */
export function firstProcess(
  program: string,
  argv: readonly string[],
  limits?: ProcessLimits,
): readonly string[] {
  const script = limits === undefined ? FIRST_PROCESS : `${limiting(limits)}\n${FIRST_PROCESS}`;
  return ["-c", script, "sh", program, ...argv];
}

/** What the kernel itself refuses to go beyond. */
export type ProcessLimits = Pick<TrialLimits, "processes" | "diskBytes" | "openFiles">;

/** A limit that the system holds lower already cannot be set, and need not be. */
function limiting({ processes, diskBytes, openFiles }: ProcessLimits): string {
  const lines = ["ulimit -c 0"];
  if (diskBytes < Number.MAX_SAFE_INTEGER) lines.push(`ulimit -f ${Math.ceil(diskBytes / BLOCK_BYTES)}`);
  if (openFiles < Number.MAX_SAFE_INTEGER) lines.push(`ulimit -Hn ${openFiles} || ulimit -n ${openFiles}`);
  if (processes < Number.MAX_SAFE_INTEGER && countsPerNamespace(release()))
    lines.push(`ulimit -u ${processes} || ulimit -p ${processes}`);
  return `{ ${lines.join("; ")}; } 2>/dev/null`;
}

/** How `sh` counts the size of files. */
const BLOCK_BYTES = 512;

/** Before Linux 5.14 all processes of the user on the machine are counted, and agents would start with none left. */
function countsPerNamespace(release: string): boolean {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

/** Begins the last line of standard error where something was still running when the program had ended. */
const LEFT_RUNNING = "assay: left running:";

/** What the first process said was left; nothing that is said there is believed beyond being shown. */
export function leftRunning(stderrTail: string): {
  readonly stderrTail: string;
  readonly left: readonly string[];
} {
  const at = stderrTail.lastIndexOf(LEFT_RUNNING);
  const line = stderrTail.slice(at + LEFT_RUNNING.length);
  if (at === -1 || line.trimEnd().includes("\n")) return { stderrTail, left: [] };
  return { stderrTail: stderrTail.slice(0, at), left: line.trim().split(" ") };
}

/** Lets the first process go on. */
export const RUN = "run\n";

const FIRST_PROCESS = `test -f "$1" -a -x "$1" || { echo "$1 cannot be executed inside the sandbox" >&2; exit 127; }
echo >&3
exec 3>&-
if test -S /proc/self/fd/1; then
  read -r word <&1
  test "$word" = run || exit 126
fi
shift
"$@"
code=$?
left=
read -r own rest </proc/self/stat 2>/dev/null
test "$own" = $$ && for process in /proc/[0-9]*; do
  test "$process" = /proc/$$ && continue
  read -r state <"$process/stat" 2>/dev/null || continue
  case $state in *") Z "*) continue ;; esac
  read -r name <"$process/comm" 2>/dev/null && left="$left $name"
done
test -z "$left" || echo "${LEFT_RUNNING}$left" >&2
exit $code`;

/**
 * Runs `command` where the overlay is mounted at its mount point, visible to it alone. The process stays the same, so
 * signals to it and its parent's death still reach `command`.
 */
export function withOverlay(command: Command, overlay: Overlay, tools: OverlayTools): Command {
  const mount = [
    tools.sh,
    "-c",
    MOUNT_OVERLAY,
    "sh",
    tools.mount,
    overlayOptions({ ...overlay, work: freshWork(overlay.work) }),
    overlay.mountPoint,
  ];
  return {
    ...command,
    program: tools.unshare,
    args: ["--user", "--map-root-user", "--mount", "--", ...mount, command.program, ...command.args],
  };
}

export type Overlay = Extract<WorkspaceGround, { kind: "overlay" }>;

export interface OverlayTools {
  readonly sh: string;
  readonly mount: string;
  readonly unshare: string;
}

const MOUNT_OVERLAY = `"$1" -t overlay overlay -o "$2" "$3" || exit 1
shift 3
exec "$@"`;

/** A volatile overlay leaves a mark in its work directory, and none is mounted with that again. */
function freshWork(work: string): string {
  const fresh = join(work, String(mounts++));
  mkdirSync(fresh);
  return fresh;
}

let mounts = 0;

/** Throws on paths that the mount options cannot spell; ours never hold such characters. */
function overlayOptions({ lower, upper, work }: Overlay): string {
  const unspeakable = [...lower, upper, work].find((path) => /[,:\\"]/.test(path));
  if (unspeakable !== undefined) throw new Error(`an overlay cannot be mounted from ${unspeakable}`);
  // Volatile: otherwise each unmount, and so the end of each agent, waits until all that is unwritten of the disk is written.
  return `userxattr,volatile,lowerdir=${lower.join(":")},upperdir=${upper},workdir=${work}`;
}

/** Looked up in the system's own directories, so that nothing a project puts on PATH can stand in. */
export function systemProgram(name: string): string | null {
  return SYSTEM_FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

const SYSTEM_FOLDERS = [
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/usr/local/bin",
  "/run/current-system/sw/bin",
];
