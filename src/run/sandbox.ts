import type { Command } from "./process/command.ts";

/** Where a trial's programs run, and what of the machine they can see. */
export interface Sandbox {
  readonly name: string;
  /**
   * Whether its programs have a PID namespace of their own, so that none outlives its command or the runner. A wrapped
   * command then writes one byte to file descriptor 3 right before the program itself is executed, and, where its standard
   * output is a socket, waits there for the word to do so.
   */
  readonly contained: boolean;
  /** Whether the user's files, and the rest of the machine but its system, are out of reach inside. */
  readonly hidesFiles: boolean;
  /** Whether it can keep its programs from the network; `wholly`: from all of it, the gateway too; absent: it cannot. */
  readonly closesNetwork?: boolean | "wholly";
  /** What it does not hold for this user, in words for a person; absent: nothing to say. */
  readonly caution?: string;
  /** Null when it works on this machine; otherwise why not, in words for a person. */
  unavailable(): Promise<string | null>;
  /** The trial's directories as its programs see them. */
  places(ground: TrialGround): Places;
  /** The command that runs `command` inside; `command` names paths as the inside sees them. */
  wrap(command: Command, ground: TrialGround): Command | Promise<Command>;
}

/** Absolute paths. */
export interface Places {
  readonly workspace: string;
  readonly home: string;
  readonly temp: string;
}

/** The trial's directories on this machine. */
export interface TrialGround {
  /** Names the trial; unique within the run root. */
  readonly id: string;
  readonly workspace: WorkspaceGround;
  readonly home: string;
  readonly temp: string;
  /** Further paths that must be readable inside: the agent program's installation. */
  readonly readable: readonly string[];
  /** Absent: all of it. */
  readonly reach?: Reach;
}

/** What of the network is reached: all of it, nothing, or what can be reached from where this process is. */
export type Reach = "host" | "none" | { readonly cellPid: number };

export type WorkspaceGround =
  | { readonly kind: "directory"; readonly path: string }
  /** Mounted for each command of the trial; `upper` holds exactly what changed. `lower` is topmost first. */
  | {
      readonly kind: "overlay";
      readonly lower: readonly string[];
      readonly upper: string;
      readonly work: string;
      readonly mountPoint: string;
    };
