import { readdirSync, readFileSync } from "node:fs";
import { isSecretVariable } from "../machine.ts";
import { listText } from "./change-text.ts";

/**
 * That processes of the user hold the user's secrets where any program can read them, such as `npx` that started this one; null
 * where none is found. Only agents whose sandbox does not hide other processes can read that.
 */
export function exposedKeysNote(env: Readonly<Record<string, string | undefined>>): string | null {
  const secrets = Object.entries(env).filter(([name, value]) => isSecretVariable(name, value));
  const held = secrets.length === 0 ? [] : processes().flatMap((process) => exposedBy(process, secrets));
  if (held.length === 0) return null;
  const names = [...new Set(held.flatMap(({ variables }) => variables))];
  const holders = held.map(({ program, pid }) => `${program} (${pid})`);
  return `agents can read ${listText(names)} in the environment of ${listText(holders)}: use a sandbox that hides other processes, or set the key for this command alone`;
}

interface Process {
  readonly pid: number;
  readonly program: string;
  readonly environment: string;
}

function processes(): readonly Process[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap(processOf);
  } catch {
    return [];
  }
}

/** None that is not the user's, or has ended. */
function processOf(pid: string): readonly Process[] {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
    return [{ pid: Number(pid), program: readFileSync(`/proc/${pid}/comm`, "utf8").trim(), environment }];
  } catch {
    return [];
  }
}

function exposedBy(
  { pid, program, environment }: Process,
  secrets: readonly (readonly [string, string | undefined])[],
): readonly { readonly pid: number; readonly program: string; readonly variables: readonly string[] }[] {
  const variables = secrets.filter(([, value]) => value !== undefined && environment.includes(value));
  return variables.length === 0 ? [] : [{ pid, program, variables: variables.map(([name]) => name) }];
}
