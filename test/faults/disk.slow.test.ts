import { cp, mkdir, statfs, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EvalEvent } from "../../src/domain/event.ts";
import { systemProgram } from "../../src/run/process/namespace.ts";
import { readJournal } from "../../src/store/journal.ts";
import { builtCommand } from "../support/built-command.ts";
import { GOOD_REPLIES, greeterProject, RUN } from "../support/project.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { placeOf } from "./crash-suite.ts";
import { damageIn, filesIn, tornIn } from "./damage.ts";
import { type OwnDisk, ownDisk } from "./own-disk.ts";
import { type Played, played } from "./played.ts";

const SUITE = [...RUN, "--runs", "3"];
const RESUME = [...SUITE, "--resume"];
const RESULTS = "project/.assay";
const JOURNAL = `${RESULTS}/greeter/iteration-1/journal.jsonl`;
const NO_DISK = "nobody may mount in a namespace of their own here";
const UNHARMED = { lost: [], repeated: [], torn: [], litter: [] };

let command: Awaited<ReturnType<typeof builtCommand>>;
let project: TempTree;
let home: TempTree;
/** What a suite leaves that nothing happened to, and what it takes on a disk; null: there can be no disk for it. */
let expected: { readonly project: ReadonlySet<string>; readonly home: ReadonlySet<string> };
let bytes: number | null;
beforeAll(async () => {
  command = await builtCommand();
  project = await greeterProject(GOOD_REPLIES);
  home = await tempTree();
  await using place = await placeOf(project);
  const { code, err } = await play(place, SUITE);
  if (code !== 0) throw new Error(err);
  expected = { project: await filesIn(place.path("project")), home: await filesIn(home.root) };
  await using disk = await ownDisk(place.path("tmp"), "size=100m");
  if (disk !== null) await cp(place.path(RESULTS), disk.seen(place.path("tmp")), { recursive: true });
  bytes = disk === null ? null : await usedOf(disk.seen(place.path("tmp")));
}, 120_000);
afterAll(async () => {
  await command[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

function play(place: TempTree, args: readonly string[], under: readonly string[] = []): Promise<Played> {
  return played([...under, process.execPath, command.path, ...args], surroundings(place));
}

function playOn(disk: OwnDisk, place: TempTree, args: readonly string[]): Promise<Played> {
  return disk.play([process.execPath, command.path, ...args], surroundings(place));
}

function surroundings(place: TempTree) {
  const env = { PATH: process.env["PATH"], HOME: home.root, TMPDIR: place.path("tmp") };
  return { cwd: place.path("project"), env };
}

async function usedOf(path: string): Promise<number> {
  const { blocks, bfree, bsize } = await statfs(path);
  return (blocks - bfree) * bsize;
}

/** The last words: an error of this kind and what to do about it, without a stack. */
function toldBy({ err }: Played, kind: string): string {
  expect(err).not.toMatch(/Assay itself failed|^ {4}at /m);
  const last = err.trimEnd().split("\n").slice(-2).join("\n");
  expect(last).toMatch(new RegExp(`^error: .*\\[${kind}\\]\\n {2}hint: `));
  return last;
}

async function expectUnharmed(place: TempTree, before: readonly EvalEvent[]): Promise<void> {
  const after = await readJournal(place.path(JOURNAL));
  const compiled = [...(await filesIn(home.root))].filter((path) => path.startsWith(".cache/assay/code/"));
  const usual = { ...expected, home: new Set([...expected.home, ...compiled]) };
  expect(await damageIn(place, { before, after, expected: usual, home: home.root })).toEqual(UNHARMED);
  const files = [...(await filesIn(place.path("project")))];
  expect(await tornIn(place.path("project"), files)).toEqual([]);
}

describe("a disk that is full", () => {
  it.for([0.01, 0.3, 0.9])(
    "when %f of the results are written is told, and with space nothing is lost or repeated",
    async (part, { skip }) => {
      await using place = await placeOf(project);
      await mkdir(place.path(RESULTS));
      const size = `size=${Math.ceil(part * (bytes ?? skip(NO_DISK)))}`;
      await using disk = (await ownDisk(place.path(RESULTS), size)) ?? skip(NO_DISK);
      const full = await playOn(disk, place, SUITE);
      expect(full).toMatchObject({ code: 3 });
      expect(toldBy(full, "store/disk-full")).toMatch(
        /the disk is full: \/\S+\/\.assay\/\S+ could not be written .*\n.*--resume/,
      );
      const { events: before } = await readJournal(disk.seen(place.path(JOURNAL)));
      await disk.remount("size=100m");
      expect(await playOn(disk, place, RESUME)).toMatchObject({ code: 0 });
      await cp(disk.seen(place.path(RESULTS)), place.path(RESULTS), { recursive: true });
      await expectUnharmed(place, before);
    },
  );

  it.for(["12k", "32k"])("after %s of workspaces is told by the place", async (size, { skip }) => {
    await using place = await placeOf(project);
    await using disk = (await ownDisk(place.path("tmp"), `size=${size}`)) ?? skip(NO_DISK);
    const full = await playOn(disk, place, SUITE);
    expect(full).toMatchObject({ code: 3 });
    expect(toldBy(full, "run/disk-full")).toContain(place.path("tmp"));
    await disk.remount("size=100m");
    expect(await playOn(disk, place, RESUME)).toMatchObject({ code: 0 });
    expect(await filesIn(disk.seen(place.path("tmp")))).toEqual(new Set());
  });
});

describe("a disk that fills while the agent works", () => {
  const ONE = ["run", "skills/greeter", "--harness", "scripted", "--case", "1", "--script", "agent.json"];
  const plays = (place: TempTree, bash: string) => {
    const steps = [{ skill: "greeter" }, { bash }, { text: "Hello Ada and Bob" }];
    return writeFile(place.path("project/agent.json"), JSON.stringify({ replies: [{ steps }] }));
  };

  const endsIn = async (place: TempTree) =>
    (await readJournal(place.path(JOURNAL))).events.flatMap((event) =>
      "run" in event ? [event.run.outcome.status] : [],
    );

  it("its own, ends the trial with a word for that, and with space it goes on", async ({ skip }) => {
    await using place = await placeOf(project);
    await using disk = (await ownDisk(place.path("tmp"), "size=20m")) ?? skip(NO_DISK);
    await plays(place, "head -c 50000000 /dev/zero > big 2> why || sleep 600; rm -f big why");
    const full = await playOn(disk, place, ONE);
    expect(full).toMatchObject({ code: 3 });
    expect(full.err).toContain("disk-full: the disk was full while it worked");
    expect(await endsIn(place)).toEqual(["disk-full"]);
    expect(await filesIn(disk.seen(place.path("tmp")))).toEqual(new Set());
    await disk.remount("size=100m");
    expect(await playOn(disk, place, [...ONE, "--resume"])).toMatchObject({ code: 0 });
    expect(await endsIn(place)).toEqual(["disk-full", "completed"]);
    expect(await filesIn(disk.seen(place.path("tmp")))).toEqual(new Set());
  });

  it("that of the results, is told by the file, and with space nothing is torn", async ({ skip }) => {
    await using place = await placeOf(project);
    await mkdir(place.path(RESULTS));
    await using disk = (await ownDisk(place.path(RESULTS), "size=1m")) ?? skip(NO_DISK);
    await plays(place, "head -c 3000000 /dev/urandom | base64");
    const full = await playOn(disk, place, ONE);
    expect(full).toMatchObject({ code: 3 });
    expect(toldBy(full, "store/disk-full")).toMatch(
      /the disk is full: \/\S+\/\.assay\/\S+ could not be written/,
    );
    await disk.remount("size=100m");
    expect(await playOn(disk, place, [...ONE, "--resume"])).toMatchObject({ code: 0 });
    const results = disk.seen(place.path(RESULTS));
    const files = [...(await filesIn(results))];
    expect(files.filter((path) => path.endsWith(".tmp"))).toEqual([]);
    expect(await tornIn(results, files)).toEqual([]);
    expect(await filesIn(place.path("tmp"))).toEqual(new Set());
  });
});

describe("a read-only file system", () => {
  it("for results is told before anything runs, and does not keep anybody from reading", async ({ skip }) => {
    await using place = await placeOf(project);
    await mkdir(place.path(RESULTS));
    await using disk = (await ownDisk(place.path(RESULTS), "ro")) ?? skip(NO_DISK);
    const refused = async (...args: readonly string[]) => {
      const one = await playOn(disk, place, args);
      expect(one).toMatchObject({ code: 2 });
      expect(toldBy(one, "store/unwritable")).toContain(place.path(RESULTS));
      expect(one.err).not.toContain("checks passed");
    };
    await refused(...SUITE);
    await disk.remount("rw");
    expect(await playOn(disk, place, SUITE)).toMatchObject({ code: 0 });
    await disk.remount("ro");
    await refused(...SUITE);
    await refused(...RESUME);
    await refused("grade", "greeter");
    for (const reader of ["show", "trend"])
      expect(await playOn(disk, place, [reader, "greeter"])).toMatchObject({ code: 0, err: "" });
  });

  it("for the home stops no run", async ({ skip }) => {
    await using place = await placeOf(project);
    await using disk = (await ownDisk(home.root, "ro")) ?? skip(NO_DISK);
    const { code, err } = await playOn(disk, place, SUITE);
    expect(code).toBe(0);
    expect(err).not.toMatch(/error|EROFS/);
  });
});

describe("a disk that fails", () => {
  it.for([
    ["a write to the journal", "write,pwrite64,writev", 4, JOURNAL],
    ["a sync of the journal", "fdatasync", 3, JOURNAL],
    ["a rename", "rename,renameat,renameat2", 6, null],
  ] as const)("in %s is told, and what was finished is kept", async ([, calls, at, file], { skip }) => {
    const strace = systemProgram("strace") ?? skip("there is no strace here");
    await using place = await placeOf(project);
    const inject = ["-e", `trace=${calls}`, "-e", `inject=${calls}:error=EIO:when=${at}`];
    const only = file === null ? [] : ["-P", place.path(file)];
    const log = place.path("strace.log");
    const broken = await play(place, SUITE, [strace, "-f", "--seccomp-bpf", "-o", log, ...only, ...inject]);
    if (/ptrace|PTRACE/.test(broken.err)) skip("nobody may trace a process here");
    expect(broken).toMatchObject({ code: 3 });
    expect(toldBy(broken, "store/disk-failed")).toMatch(
      /the disk failed: \/\S+ could not be .*EIO.*\n.*--resume/,
    );
    const { events: before } = await readJournal(place.path(JOURNAL));
    expect(await play(place, RESUME)).toMatchObject({ code: 0 });
    await expectUnharmed(place, before);
  });
});
