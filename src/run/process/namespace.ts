import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "./command.ts";
import type { WorkspaceGround } from "../sandbox.ts";

/**
 * Arguments of `sh` for the first process of a PID namespace: it makes sure that `program` can be executed, says so on
 * file descriptor 3, waits for the word on file descriptor 4 where there is one, runs `argv` and ends with it. Its end
 * takes the rest of the namespace along.
 */
export function firstProcess(program: string, argv: readonly string[]): readonly string[] {
  return ["-c", FIRST_PROCESS, "sh", program, ...argv];
}

/** Lets a first process that waits go on. */
export const RUN = "run\n";

const FIRST_PROCESS = `test -f "$1" -a -x "$1" || { echo "$1 cannot be executed inside the sandbox" >&2; exit 127; }
echo >&3
exec 3>&-
if { true <&4; } 2>/dev/null; then
  read -r word <&4
  test "$word" = run || exit 126
  exec 4<&-
fi
shift
"$@"
exit $?`;

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
    overlayOptions(overlay),
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

/** Throws on paths that the mount options cannot spell; ours never hold such characters. */
function overlayOptions({ lower, upper, work }: Overlay): string {
  const unspeakable = [...lower, upper, work].find((path) => /[,:\\"]/.test(path));
  if (unspeakable !== undefined) throw new Error(`an overlay cannot be mounted from ${unspeakable}`);
  return `userxattr,lowerdir=${lower.join(":")},upperdir=${upper},workdir=${work}`;
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
