import { join } from "node:path";
import type { Trespass } from "../../domain/run.ts";
import type { Skill } from "../../domain/skill.ts";
import { staysIn } from "../../lib/stays-in.ts";
import { readTextFile } from "../../lib/text-file.ts";
import type { Sandbox } from "../sandbox.ts";
import { endOfFile } from "../missing-commands.ts";
import { refusalsIn } from "./refusals.ts";
import { type TrespassWatch, placesIn } from "./watch.ts";

/**
 * What a run reached for that is not its own, and what became of it. It is told for people to know; what is out of reach
 * is out of reach whether it is told or not.
 */
export async function trespassesOf(
  watch: TrespassWatch,
  {
    skill,
    sandbox,
    stderr,
    traces,
    refusedHosts,
  }: {
    skill: Skill | null;
    sandbox: Sandbox;
    stderr: string;
    traces: readonly Trespass[];
    refusedHosts: readonly string[];
  },
): Promise<readonly Trespass[]> {
  const refused = [...watch.refused, ...refusalsIn(endOfFile(stderr), () => false)];
  const places = new Set([...watch.places, ...(await placesInScripts(watch.files, skill))]);
  const became = sandbox.hidesFiles ? "not there" : `not prevented by sandbox ${sandbox.name}`;
  const reached = [...places].map((name) => ({ kind: "secret" as const, what: `reach ${name}`, became }));
  const left = watch.left.length === 0 ? [] : [leftRunning(watch.left)];
  const hosts = refusedHosts.map((host) => ({
    kind: "refused" as const,
    what: `connect to ${host}`,
    became: "not allowed",
  }));
  const all = [...reached, ...refused, ...hosts, ...traces, ...left];
  return [...new Map(all.map((one) => [one.what, one])).values()].slice(0, MOST_TRESPASSES);
}

const MOST_TRESPASSES = 30;
const MOST_BYTES = 256 * 1024;

function leftRunning(names: readonly string[]): Trespass {
  const shown = [...new Set(names)].slice(0, 5).join(", ");
  const processes = names.length === 1 ? "a process" : `${names.length} processes`;
  return { kind: "left-running", what: `leave ${processes} running (${shown})`, became: "ended" };
}

/** A script that is run says for itself what it reaches for, also when it hides what it is told. */
async function placesInScripts(files: ReadonlySet<string>, skill: Skill | null): Promise<readonly string[]> {
  if (skill === null || skill.layout === "command") return [];
  const found: string[] = [];
  for (const file of files) {
    const own = /(?:^|\/)skills\/[^/]+\/(.+)$/.exec(file)?.[1] ?? file;
    const path = join(skill.root, own);
    if (!staysIn(skill.root, path)) continue;
    const read = await readTextFile(path, MOST_BYTES);
    if (read.ok) found.push(...placesIn(read.text));
  }
  return found;
}
