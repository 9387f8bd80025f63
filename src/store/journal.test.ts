import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { mounted } from "../../test/support/mounted.ts";
import { asPlainUser } from "../../test/support/plain-user.ts";
import type { EvalEvent } from "../domain/event.ts";
import { secretMask } from "../lib/secret-mask.ts";
import { at, finished, sampleCase, sampleGrading, sampleIteration, sampleTrial } from "./fixtures/samples.ts";
import { type Journal, openJournal, readJournal, trialRef } from "./journal.ts";

const SECRET = 'canary "7f3a9c21e5"';
let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "journal-"));
  path = join(folder, "journal.jsonl");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function open(committed: readonly string[] = []): Promise<Journal> {
  return openJournal({ path, mask: secretMask([SECRET]), committed });
}

const trial = sampleTrial();
const EVENTS: readonly EvalEvent[] = [
  at({
    kind: "iteration-started",
    iteration: sampleIteration(),
    cases: [sampleCase()],
    trials: [trial],
    resumed: false,
  }),
  at({ kind: "trial-started", trial, attempt: 1 }),
  finished(trial),
  at({ kind: "verdicts-recorded", trial, grading: sampleGrading() }),
  at({ kind: "note", code: "run/leaky", message: "line\nbreak and \u2028", trialId: trial.id }),
  at({ kind: "iteration-finished", ended: "complete" }),
];

describe("openJournal", () => {
  it("gives back every kind of event as it was", async () => {
    const journal = await open();
    for (const event of EVENTS) await journal.append(event);
    await journal.close();
    expect(await readJournal(path)).toEqual({ events: EVENTS, diagnostics: [] });
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { schema: number }).schema)).toEqual(EVENTS.map(() => 1));
  });

  it("leaves live progress out", async () => {
    const journal = await open();
    const event = { index: 0, turn: 1, agent: null, kind: "thinking", text: "hm" } as const;
    await journal.append(at({ kind: "trial-progress", trialId: trial.id, event }));
    await journal.close();
    expect(await readFile(path, "utf8")).toBe("");
  });

  it("masks secrets in whatever an event carries", async () => {
    const journal = await open();
    await journal.append(at({ kind: "note", code: "x/y", message: `key ${SECRET}`, trialId: null }));
    await journal.append(finished(trial, { outcome: leftOut("api", SECRET), notes: [`a${SECRET}b`] }));
    await journal.close();
    const text = await readFile(path, "utf8");
    expect(text).not.toContain("7f3a9c21e5");
    expect(text.match(/\[masked\]/g)).toHaveLength(3);
  });

  it("commits a trial once, also over a resume", async () => {
    const journal = await open();
    await journal.append(finished(trial));
    await expect(journal.append(finished(trial))).rejects.toThrow(/twice/);
    await journal.append(finished({ ...trial, key: "k2" }));
    await journal.close();
    const resumed = await open([trialRef(trial)]);
    await expect(resumed.append(finished(trial))).rejects.toThrow(/twice/);
    await resumed.close();
    expect((await readJournal(path)).events).toHaveLength(2);
  });

  it("lets a left-out trial be tried again", async () => {
    const journal = await open();
    const limited = { outcome: leftOut("rate-limit", "429") } as const;
    await journal.append(finished(trial, limited, 1));
    await journal.append(finished(trial, limited, 2));
    await journal.append(finished(trial, {}, 3));
    await journal.close();
    expect((await readJournal(path)).events).toHaveLength(3);
  });

  it("goes on after a torn line", async () => {
    const first = await open();
    await first.append(EVENTS[0]!);
    await first.close();
    await appendFile(path, '{"schema":1,"kind":"trial-fin');
    const second = await open();
    await second.append(EVENTS[1]!);
    await second.close();
    expect(await readJournal(path)).toEqual({ events: EVENTS.slice(0, 2), diagnostics: [] });
  });

  it("lets through what no user can help with", async () => {
    await expect(openJournal({ path: folder, mask: secretMask([]), committed: [] })).rejects.toThrow(
      /EISDIR/,
    );
  });
});

describe("a journal that cannot be written", () => {
  const open = (path: string) => openJournal({ path, mask: secretMask([]), committed: [] });
  const unwritable = (path: string, cause: string) => ({
    name: "UserError",
    code: "store/unwritable",
    message: expect.stringMatching(new RegExp(`^cannot write ${path}: ${cause}`)) as string,
    hint: expect.stringContaining("--workspace") as string,
    cause: expect.objectContaining({ code: cause }) as unknown,
  });

  it("names the folder that may not be written to", async () => {
    await chmod(folder, 0o555);
    await expect(asPlainUser(() => open(path))).rejects.toMatchObject(unwritable(path, "EACCES"));
  });

  it("names the file that may not be written to", async () => {
    await writeFile(path, "", { mode: 0o444 });
    await chmod(folder, 0o777);
    await expect(asPlainUser(() => open(path))).rejects.toMatchObject(unwritable(path, "EACCES"));
  });

  it("names the file on a disk that is read-only", async ({ skip }) => {
    using disk = mounted("ro") ?? skip("a file system cannot be mounted here");
    const there = join(disk.root, "journal.jsonl");
    await expect(open(there)).rejects.toMatchObject(unwritable(there, "EROFS"));
  });

  it("says that the disk is full, and what to do", async ({ skip }) => {
    if (!existsSync("/dev/full")) skip("there is no /dev/full here");
    const journal = await open("/dev/full");
    await expect(journal.append(finished(trial))).rejects.toMatchObject({
      name: "UserError",
      code: "store/disk-full",
      message: "the disk is full: /dev/full could not be written",
      hint: expect.stringContaining("--resume") as string,
    });
    await journal.close();
  });

  it("names the file that is marked as not to be changed", async ({ skip }) => {
    await writeFile(path, "");
    const isMarked = spawnSync("chattr", ["+i", path]).status === 0;
    if (!isMarked) skip("files cannot be marked here");
    try {
      await expect(open(path)).rejects.toMatchObject(unwritable(path, "EPERM"));
    } finally {
      spawnSync("chattr", ["-i", path]);
    }
  });
});

describe("readJournal", () => {
  it("is empty where there is none", async () => {
    expect(await readJournal(path)).toEqual({ events: [], diagnostics: [] });
  });

  it("leaves a torn last line out, without a word", async () => {
    await writeFile(
      path,
      `${JSON.stringify({ schema: 1, ...EVENTS[5] })}\n${JSON.stringify({ schema: 1, ...EVENTS[4] })}`,
    );
    expect(await readJournal(path)).toEqual({ events: [EVENTS[5]], diagnostics: [] });
  });

  it.each([
    ["\0\0\0", /not JSON/],
    ["[]", /not a journal event/],
    ["null", /not a journal event/],
    ['{"kind":"note"}', /not a journal event/],
    ['{"schema":2,"kind":"note"}', /newer Assay \(schema 2, this one knows 1\)/],
  ])("reports %j where it stands and reads on", async (line, message) => {
    const good = JSON.stringify({ schema: 1, ...EVENTS[1] });
    await writeFile(path, `${good}\n${line}\n${good}\n`);
    const { events, diagnostics } = await readJournal(path);
    expect(events).toEqual([EVENTS[1], EVENTS[1]]);
    expect(diagnostics).toMatchObject([
      { at: { file: path, line: 2 }, message: expect.stringMatching(message) },
    ]);
  });

  it("does not throw for a folder in its place", async () => {
    expect((await readJournal(folder)).diagnostics).toHaveLength(1);
  });
});
