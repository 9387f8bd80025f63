import type { Command } from "./process/command.ts";

/** Where a trial's programs run, and what of the machine they can see. */
export interface Sandbox {
  readonly name: string;
  /**
   * Whether its programs have a PID namespace of their own, so that none outlives its command or the runner. A wrapped
   * command then writes one byte to file descriptor 3 right before the program itself is executed.
   */
  readonly contained: boolean;
  /** Null when it works on this machine; otherwise why not, in words for a person. */
  unavailable(): Promise<string | null>;
  /** The trial's directories as its programs see them. */
  places(ground: TrialGround): Places;
  /** The command that runs `command` inside; `command` names paths as the inside sees them. */
  wrap(command: Command, ground: TrialGround): Command;
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
}

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
