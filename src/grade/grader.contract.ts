import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Check } from "../domain/check.ts";
import type { EvidenceSource, Verdict } from "../domain/verdict.ts";
import { makeSubject, newFolder, type SubjectParts } from "./fixtures/make-subject.ts";
import type { Graded, Grader } from "./grader.ts";
import type { Subject } from "./subject.ts";

/** One check with what decides it either way. */
export interface GraderSample {
  readonly check: Check;
  readonly holds: SubjectParts;
  readonly fails: SubjectParts;
  /** The evidence was cut or is missing; null where that cannot be. */
  readonly unknown: UnknownParts | null;
}

export interface UnknownParts extends SubjectParts {
  /** What was stored of the run is gone from the disk. */
  readonly lost?: boolean;
}

export interface GraderKit {
  /** Where it asks a model or a network, what that answers must depend on the question alone. */
  readonly make: () => Grader;
  /** At least one for each kind of check that it decides. */
  readonly samples: readonly GraderSample[];
  /** Checks that are for others to decide. */
  readonly foreign: readonly Check[];
  /** The grader with a model or a network that never answers; absent: it asks nobody. */
  readonly waiting?: () => Grader;
}

/** What every grader promises. */
export function graderContract(name: string, { make, samples, foreign, waiting }: GraderKit): void {
  const checks = samples.map(({ check }) => check);

  describe(`grader ${name}`, () => {
    it("has a name, and decides its own checks and no others", () => {
      const grader = make();
      expect(grader.name).not.toBe("");
      expect(checks.filter((check) => !grader.decides(check))).toEqual([]);
      expect(foreign.filter((check) => grader.decides(check))).toEqual([]);
    });

    it("has nothing to say about no checks", async () => {
      expect((await grade(make(), [], samples[0]?.holds ?? {})).graded.verdicts).toEqual([]);
    });

    describe.each(samples.map((sample) => [sample.check.kind, sample] as const))("%s", (_, sample) => {
      it.each(["holds", "fails"] as const)("names its evidence when it %s", async (way) => {
        const { graded, subject } = await grade(make(), [sample.check], sample[way]);
        expect(graded.verdicts).not.toEqual([]);
        expect(await flawsOf(graded.verdicts, [sample.check], subject)).toEqual([]);
        const statuses = new Set(graded.verdicts.map(({ status }) => status));
        expect([...statuses]).toEqual([way === "holds" ? "passed" : "failed"]);
      });

      it.skipIf(sample.unknown === null)("is unscored when the evidence is not there", async () => {
        const { lost = false, ...parts } = sample.unknown ?? {};
        const { graded } = await grade(make(), [sample.check], parts, lost);
        expect(graded.verdicts.map(({ status }) => status)).toContain("unscored");
        expect(graded.verdicts.filter(({ status }) => status !== "unscored")).toEqual([]);
      });

      it("is decided in the same way each time", async () => {
        const folder = ownFolder();
        const subject = frozen(makeSubject({ ...sample.holds, checks: [sample.check] }, folder));
        const grader = make();
        const first = await grader.grade(frozen([sample.check]), subject, NEVER);
        expect(await grader.grade([sample.check], subject, NEVER)).toEqual(first);
        expect(await make().grade([sample.check], subject, NEVER)).toEqual(first);
      });

      it.each(Object.keys(ODD))("is answered, and not passed without evidence, on %s", async (odd) => {
        const parts = { ...sample.holds, ...ODD[odd] };
        const { graded, subject } = await grade(make(), [sample.check], parts, odd === LOST);
        expect(await flawsOf(graded.verdicts, [sample.check], subject)).toEqual([]);
      });
    });

    it("gives its verdicts in the order of the checks, however they are mixed", async () => {
      const parts = samples[0]?.holds ?? {};
      for (const order of [checks, checks.toReversed()]) {
        const { graded, subject } = await grade(make(), order, parts);
        expect(await flawsOf(graded.verdicts, order, subject)).toEqual([]);
        const idle = new Set(graded.idle);
        const asked = order.map(({ id }) => id).filter((id) => !idle.has(id));
        expect([...new Set(graded.verdicts.map(({ checkId }) => checkId))]).toEqual(asked);
      }
    });

    it("rejects when it was stopped before", async () => {
      const subject = makeSubject({ ...samples[0]?.holds, checks }, ownFolder());
      const stopped = AbortSignal.abort(new Error("enough"));
      await expect(make().grade(checks, subject, stopped)).rejects.toThrow(/enough|abort/i);
    });

    it.skipIf(waiting === undefined)("rejects when it is stopped while it waits", async () => {
      const sample = samples[0];
      if (sample === undefined || waiting === undefined) throw new Error("there is no sample");
      const stop = new AbortController();
      const subject = makeSubject({ ...sample.holds, checks: [sample.check] }, ownFolder());
      const grading = waiting().grade([sample.check], subject, stop.signal);
      setTimeout(() => stop.abort(new Error("enough")), 50);
      await expect(grading).rejects.toThrow(/enough|abort/i);
    });
  });
}

const NEVER = new AbortController().signal;

const LOST = "an output and files that are gone from the disk";

/** Runs that no author thinks of. */
const ODD: Readonly<Record<string, SubjectParts>> = {
  "a run that said and did nothing": {
    output: "",
    events: [],
    files: {},
    run: { activations: [], changes: [] },
  },
  "bytes that are no text": { output: noise(), files: { "noise.bin": noise(), "out/a.md": noise() } },
  "a line of five megabytes": {
    output: "x ".repeat(2_500_000),
    files: { "out/a.md": "y".repeat(5_000_000) },
  },
  "a transcript of nonsense": {
    events: Array.from({ length: 500 }, (_, index) =>
      index % 2 === 0
        ? { kind: "tool-result", callId: "none", tool: null, output: "\u0000", isError: true, denied: true }
        : { kind: "message", role: "assistant", text: "```json\n{" },
    ),
  },
  "files that a cap kept out": { files: { "out/a.md": null, "b.json": null } },
  "a declared output that was not written": { output: null },
  [LOST]: {},
};

async function grade(
  grader: Grader,
  checks: readonly Check[],
  parts: SubjectParts,
  lost = false,
): Promise<{ graded: Graded; subject: Subject }> {
  const folder = ownFolder();
  const subject = makeSubject({ ...parts, checks }, folder);
  if (lost) for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  return { graded: await grader.grade(checks, subject, NEVER), subject };
}

function ownFolder(): string {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Each verdict is about its check, says why, and points at something that is there. */
async function flawsOf(
  verdicts: readonly Verdict[],
  checks: readonly Check[],
  subject: Subject,
): Promise<readonly Verdict[]> {
  const events: number[] = [];
  for await (const { index } of subject.transcript()) events.push(index);
  const isThere = (source: EvidenceSource): boolean => {
    switch (source.kind) {
      case "output":
        return subject.output.status === "present";
      case "event":
        return events.includes(source.index);
      case "file":
        return subject.files.some(({ path }) => path === source.path);
    }
  };
  return verdicts.filter(({ trialId, checkId, layer, text, reason, status, evidence }) => {
    const check = checks.find(({ id }) => id === checkId);
    const isAbout = trialId === subject.trial.id && layer === check?.layer && text === check.text;
    const sources = evidence.flatMap((one) => (one.kind === "quote" ? [one.source] : []));
    const shows = status === "unscored" || evidence.length > 0;
    return !(isAbout && shows && reason.trim() !== "" && sources.every(isThere));
  });
}

function noise(): Buffer {
  return Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 197) % 256));
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value) && !Buffer.isBuffer(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
