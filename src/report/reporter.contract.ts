import { describe, expect, it } from "vitest";
import type { EvalEvent } from "../domain/event.ts";
import { sampleIteration } from "./fixtures/sample-iteration.ts";
import { ALL_REPORTED, dispatch, type IterationReport, type Reporter } from "./reporter.ts";

export interface ReporterKit {
  /** A reporter, and everything that it has written so far. */
  readonly make: () => { readonly reporter: Reporter; readonly written: () => string };
  /** Why what was written after `finish` is not what it should be, such as JSON that cannot be parsed; null: it is fine. */
  readonly flaw?: (written: string) => string | null;
  /** It speaks to a CI service in commands; `flaw` then says whether each line is one of its own. Absent: it does not. */
  readonly givesCommands?: boolean;
}

/** What every reporter promises. */
export function reporterContract(
  name: string,
  { make, flaw = () => null, givesCommands = false }: ReporterKit,
): void {
  const tell = async (events: readonly EvalEvent[], reports: readonly IterationReport[]) => {
    const { reporter, written } = make();
    const { iteration } = sampleIteration("plain words").report.evaluated;
    for (const event of events) reporter.event?.(event, reports[0]?.evaluated.iteration ?? iteration);
    await reporter.finish?.(reports, ALL_REPORTED);
    return written();
  };

  describe(`reporter ${name}`, () => {
    it("has a name, and says nothing before there is anything to say", () => {
      const { reporter, written } = make();
      expect(reporter.name).not.toBe("");
      expect(written()).toBe("");
    });

    it("tells the same of the same", async () => {
      const { events, report } = sampleIteration("plain words");
      const told = await tell(events, [report]);
      expect(told).not.toBe("");
      expect(flaw(told)).toBeNull();
      expect(await tell(events, [report])).toBe(told);
    });

    it("takes up with every event, in whatever state a run is cut short", async () => {
      const { events, report } = sampleIteration("plain words");
      for (let end = 0; end <= events.length; end++) {
        expect(flaw(await tell(events.slice(0, end), [report]))).toBeNull();
        expect(flaw(await tell(events.slice(end), [report]))).toBeNull();
      }
    });

    it("takes up with a resumed iteration and with several at once", async () => {
      const { events, report } = sampleIteration("plain words");
      const resumed = events.map((event) =>
        event.kind === "iteration-started" ? { ...event, resumed: true } : event,
      );
      const interleaved = events.flatMap((event, index) => [event, resumed[index] ?? event]);
      expect(flaw(await tell([...events, ...resumed], [report]))).toBeNull();
      expect(flaw(await tell(interleaved, [report, report]))).toBeNull();
    });

    it("has an end without any iteration", async () => {
      expect(flaw(await tell([], []))).toBeNull();
    });

    it("has an end where nothing was run or graded", async () => {
      const { events, report } = sampleIteration("plain words");
      const evaluated = { ...report.evaluated, runs: new Map(), gradings: new Map() };
      const bare = { ...report, evaluated, runFolders: new Map<string, string>() };
      expect(flaw(await tell(events.slice(0, 1), [bare]))).toBeNull();
    });

    it("changes nothing of what it is shown", async () => {
      const { events, report } = sampleIteration("plain words");
      const before = structuredClone({ events, report });
      await tell(frozen(events), frozen([report]));
      expect({ events, report }).toEqual(before);
    });

    it("is told everything, whatever happens to a reporter beside it", async () => {
      const { events, report } = sampleIteration("plain words");
      const { reporter, written } = make();
      const broken: Reporter = {
        name: "broken",
        event: () => {
          throw new Error("no disk");
        },
        finish: () => Promise.reject(new Error("no disk")),
      };
      const complaints: string[] = [];
      const all = dispatch(
        [broken, reporter],
        (message) => complaints.push(message),
        new AbortController().signal,
      );
      for (const event of events) all.event(event, report.evaluated.iteration);
      await all.finish([report], ALL_REPORTED);
      expect(written()).toBe(await tell(events, [report]));
      expect(complaints).toHaveLength(1);
    });

    it.each(Object.entries(HOSTILE))("is not taken in by %s", async (_, words) => {
      const { events, report } = sampleIteration(words);
      const told = await tell(events, [report]);
      expect(flaw(told)).toBeNull();
      expect([...told.matchAll(STEERING)].map(([char]) => char.codePointAt(0))).toEqual([]);
      const commands = told.split("\n").filter((line) => line.trimStart().startsWith("::"));
      expect(givesCommands ? [] : commands).toEqual([]);
    });
  });
}

/** Texts of agents, models and eval files that want to be more than text. */
const HOSTILE: Readonly<Record<string, string>> = {
  "escape sequences": "\u001b[2J\u001b]0;title\u0007\u009b31m\u0090q\u009c gone \u0008\u007f",
  "a carriage return": "failed\rpassed",
  "marks that reorder or hide text": "\u202edessap\u202c \u2066x\u2069 \u200b\u2028\u2029",
  "commands for a CI service":
    "::error::made up\n::warning::too\n  ::set-output name=a::b\n##vso[task.complete]",
  markup: "]]><failure/>&amp;\"'<!-- --> <?xml?>",
  "half a character": "\ud800 and \udc00",
  "control characters": Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join(""),
  "a long text": "long ".repeat(100_000),
  "a format of ours": "%s %d ${x} {{x}} __proto__",
};

/** What steers a terminal, but for tab and line feed. */
const STEERING = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2066-\u2069](?<![\t\n])/gu;

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    const inner: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
    for (const one of inner) frozen(one);
  }
  return value;
}
