import { readFile, writeFile } from "node:fs/promises";
import { afterEach, expect, it, vi } from "vitest";
import { assay } from "../support/command-line.ts";
import { GOOD_REPLIES, greeterProject, journal, RUN } from "../support/project.ts";
import { filesIn, repeatedIn } from "./damage.ts";

const HOUR_MS = 3_600_000;
const MOST_MS = 5 * 60_000;
const JOURNAL = ".assay/greeter/iteration-1/journal.jsonl";

afterEach(() => vi.unstubAllGlobals());

/** From now on the machine's clock is off by so much, as its readings are counted. */
function setClock(offset: (reading: number) => number): void {
  const Real = Date;
  let readings = 0;
  const now = () => Real.now() + offset(readings++);
  class Stepped extends Real {
    constructor(...given: [number | string | Date] | []) {
      super(given.length === 0 ? now() : given[0]);
    }
    static override now = now;
  }
  vi.stubGlobal("Date", Stepped);
}

it.each([
  ["back by an hour", (reading: number) => (reading > 12 ? -HOUR_MS : 0)],
  ["ahead by an hour", (reading: number) => (reading > 12 ? HOUR_MS : 0)],
  ["to and fro", (reading: number) => (reading % 2) * HOUR_MS],
])(
  "a clock that is set %s changes no duration, no order and nothing to resume",
  { timeout: 60_000 },
  async (_, offset) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const say = (...args: readonly string[]) => assay(args, { cwd: project.root });
    setClock(offset);

    expect(await say(...RUN, "--runs", "2")).toMatchObject({ exitCode: 0 });
    const lines = (await readFile(project.path(JOURNAL), "utf8")).trimEnd().split("\n");
    const second = lines.map((line) => line.includes('"kind":"trial-finished"')).indexOf(true) + 1;
    await writeFile(project.path(JOURNAL), `${lines.slice(0, second).join("\n")}\n`);
    const resumed = await say(...RUN, "--runs", "2", "--resume");
    expect(resumed).toMatchObject({ exitCode: 0 });
    expect(resumed.err).toContain("1 run reused, 3 trials still to run");
    const events = await journal(project.root);
    expect(repeatedIn(events)).toEqual([]);
    expect(
      new Set(events.flatMap((event) => (event.kind === "trial-finished" ? [event.trial.id] : []))).size,
    ).toBe(4);

    vi.unstubAllGlobals();
    setClock(() => -HOUR_MS);
    expect(await say(...RUN)).toMatchObject({ exitCode: 0 });
    expect((await say("show", "greeter")).out).toContain("iteration-2");
    const { out } = await say("trend", "greeter");
    expect([...out.matchAll(/^ +([12]) +\d{4}-/gm)].map(([, number]) => number)).toEqual(["1", "2"]);

    const durations = await durationsIn(project.root);
    expect(durations.length).toBeGreaterThan(20);
    expect(durations.filter(([, ms]) => ms < 0 || ms > MOST_MS)).toEqual([]);
  },
);

/** All that Assay wrote down as a time that something took, in milliseconds. */
async function durationsIn(root: string): Promise<readonly (readonly [string, number])[]> {
  const found: (readonly [string, number])[] = [];
  for (const path of await filesIn(root)) {
    if (!/^\.assay\/.*\.jsonl?$/.test(path)) continue;
    const text = await readFile(`${root}/${path}`, "utf8");
    for (const part of path.endsWith(".jsonl") ? text.trimEnd().split("\n") : [text])
      JSON.parse(part, (key, value: unknown) => {
        if (/duration/i.test(key) && typeof value === "number")
          found.push([`${path}: ${key}`, /seconds/.test(key) ? value * 1000 : value]);
        for (const [from, to] of SPANS) {
          const { [from]: start, [to]: end } = (value ?? {}) as Record<string, unknown>;
          if (typeof start === "string" && typeof end === "string")
            found.push([`${path}: ${from}`, Date.parse(end) - Date.parse(start)]);
        }
        return value;
      });
  }
  return found;
}

const SPANS = [
  ["startedAt", "endedAt"],
  ["executor_start", "executor_end"],
  ["grader_start", "grader_end"],
] as const;
