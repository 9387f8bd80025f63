import { chmod, cp, mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readJournal } from "../../src/store/journal.ts";
import { systemProgram } from "../../src/run/process/namespace.ts";
import { greeterProject } from "../support/project.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { type Damage, damageIn, filesIn } from "./damage.ts";
import { type Played, played } from "./played.ts";

const HOOK = fileURLToPath(new URL("fixtures/die-at.mjs", import.meta.url));
const JOURNAL = "project/.assay/greeter/iteration-1/journal.jsonl";

/** The N-th call of this kind, counted from 1, in the process of the command. */
export interface Instant {
  readonly call: string;
  readonly at: number;
}

export interface Resumed {
  readonly instant: Instant;
  /** False: the suite was done before it came to that call. */
  readonly killed: boolean;
  readonly damage: Damage;
}

/** Twenty trials that take a second together, to be killed at any call and resumed. */
export interface CrashSuite extends AsyncDisposable {
  /** How often each kind of call happens when nothing goes wrong. */
  readonly calls: Readonly<Record<string, number>>;
  killAndResume(instant: Instant): Promise<Resumed>;
}

export async function crashSuite(command: string): Promise<CrashSuite> {
  const project = await greeterProject([], { "agent.sh": AGENT });
  await chmod(project.path("agent.sh"), 0o755);
  const home = await tempTree();
  const play = (place: TempTree, env: Record<string, string>, ...more: readonly string[]) =>
    played([process.execPath, "--import", HOOK, command, ...SUITE, ...more], {
      cwd: place.path("project"),
      env: { PATH: process.env["PATH"], HOME: home.root, TMPDIR: place.path("tmp"), ...env },
    });

  // Twice: what the command compiles the first time it keeps in this home.
  await using unbroken = await placeOf(project);
  await play(unbroken, {});
  await using counted = await placeOf(project);
  await play(counted, { DIE_COUNTS: counted.path("counts.json") });
  const expected = {
    project: await filesIn(counted.path("project")),
    home: await filesIn(home.root),
  };

  return {
    calls: JSON.parse(await readFile(counted.path("counts.json"), "utf8")) as Record<string, number>,
    async killAndResume(instant) {
      await using place = await placeOf(project);
      const first = await play(place, { DIE_CALL: instant.call, DIE_AT: String(instant.at) });
      const killed = first.signal === "SIGKILL";
      if (!killed) expectDone(instant, first);
      const { events: before } = await readJournal(place.path(JOURNAL));
      expectDone(instant, await play(place, {}, "--resume"));
      const after = await readJournal(place.path(JOURNAL));
      return { instant, killed, damage: await damageIn(place, { before, after, expected, home: home.root }) };
    },
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const AGENT = "#!/bin/sh\nprintf 'Hello Bob\\n' > bob.txt\nprintf 'Hello Ada\\n'\n";
const SUITE = [
  ["run", "skills/greeter", "--harness", "command", "--command", "./agent.sh"],
  ["--runs", "10", "--sandbox", systemProgram("bwrap") === null ? "none" : "bwrap"],
].flat();

/** A copy of the project and an empty folder for temporary files. */
export async function placeOf(project: TempTree): Promise<TempTree> {
  const place = await tempTree();
  await cp(project.root, place.path("project"), { recursive: true });
  await mkdir(place.path("tmp"));
  return place;
}

function expectDone({ call, at }: Instant, { code, signal, err }: Played): void {
  if (code !== 0) throw new Error(`${call} ${at}: the suite ended with ${code ?? signal}\n${err}`);
}
