import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { describeCorpus, inCorpus } from "../../../../test/support/corpus.ts";
import { loadText, type Loaded, withoutPlaces } from "./testing.ts";
import { skillCreator } from "./skill-creator.ts";

interface Real {
  readonly name: string;
  readonly path: string;
  readonly loaded: Loaded;
}

async function readAll(folder: string): Promise<readonly Real[]> {
  const directory = join(inCorpus("corpus"), folder);
  return Promise.all(
    readdirSync(directory).map(async (name) => {
      const path = join(directory, name);
      return { name, path, loaded: await loadText(readFileSync(path, "utf8"), { path }) };
    }),
  );
}

interface RawFile {
  readonly evals?: RawEntry[];
  readonly cases?: RawEntry[];
  readonly queries?: RawEntry[];
}

interface RawEntry {
  readonly expectations?: unknown[];
  readonly assertions?: unknown[];
  readonly expected_behavior?: unknown[];
}

function loadedShare(files: readonly Real[]): number {
  const parsed = files.filter(({ loaded }) => loaded.parsed);
  return parsed.filter(({ loaded }) => loaded.file !== null).length / parsed.length;
}

/** Each reason with how many files were refused for it. */
function reasons(files: readonly Real[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { loaded } of files.filter((real) => real.loaded.file === null)) {
    const reason = loaded.errors[0] ?? "no reason";
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

describeCorpus("real files", "corpus", () => {
  let evals: readonly Real[];
  let triggers: readonly Real[];
  let others: readonly Real[];
  beforeAll(async () => {
    evals = await readAll("skill-creator-evals");
    triggers = await readAll("trigger-sets");
    others = await readAll("other-skill-evals");
  });

  it("loads at least 98 % of the evals files", () => {
    expect(reasons(evals)).toEqual({});
    expect(loadedShare(evals)).toBeGreaterThanOrEqual(0.98);
    expect(evals.filter(({ loaded }) => loaded.file?.dialect !== "evals").map(({ name }) => name)).toEqual(
      [],
    );
  });

  it("loads at least 97 % of the trigger sets", () => {
    expect(reasons(triggers)).toEqual({});
    expect(loadedShare(triggers)).toBeGreaterThanOrEqual(0.97);
    expect(
      triggers.filter(({ loaded }) => loaded.file?.dialect !== "triggers").map(({ name }) => name),
    ).toEqual([]);
  });

  it("refuses files of other kinds for what they are", () => {
    expect(reasons(others)).toEqual({
      "this is the metadata of one eval in a result folder, not an eval file": 42,
      "these are the results of a trigger run, not a trigger set": 7,
      "raw line break in a string, or a string that is never closed": 4,
      "this is a single eval, not a file of evals": 4,
      'the list fits two formats: its entries have labels such as "should_trigger", as trigger queries do, and checks, as evals do': 1,
      'the file has neither a list "evals" nor trigger queries: it has "iteration_1", "iteration_2", "iteration_3"': 1,
      'the file has neither a list "evals" nor trigger queries: it has "iteration_1", "iteration_2"': 1,
      [another('"id", "prompt", "conditions", "expect", "forbid"')]: 2,
      [another('"id", "input", "expect", "forbid"')]: 2,
      [another('"id", "mode", "input", "must", "must_not"')]: 2,
      [another('"id", "name", "input", "allowed_decisions", "required_mode", "required_actions", ...')]: 1,
      [another('"id", "prompt", "required", "forbidden"')]: 1,
    });
  });

  it("loads every case of a file, and every statement of a case", () => {
    const wrong = [...evals, ...triggers].filter(({ loaded, path }) => {
      const raw = JSON.parse(readFileSync(path, "utf8")) as RawFile | RawEntry[];
      const list = Array.isArray(raw) ? raw : (raw.evals ?? raw.cases ?? raw.queries ?? []);
      const counted = list.map((entry) => {
        if ("should_trigger" in entry || "should_fire" in entry) return 1;
        return (entry.expectations ?? entry.assertions ?? entry.expected_behavior ?? []).length;
      });
      const checks = loaded.file?.cases.map((evalCase) => evalCase.checks.length);
      return JSON.stringify(checks) !== JSON.stringify(counted);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("restores what it loaded", async () => {
    const loaded = [...evals, ...triggers, ...others].flatMap((real) => real.loaded.file ?? []);
    expect(loaded.length).toBeGreaterThan(200);
    const changed: string[] = [];
    for (const file of loaded) {
      const written = skillCreator.write(file);
      const again = await loadText(written.text, { path: file.path });
      const same =
        again.file !== null &&
        JSON.stringify(sorted(withoutPlaces(again.file))) === JSON.stringify(sorted(withoutPlaces(file)));
      if (!same || written.losses.length > 0) changed.push(file.path);
    }
    expect(changed).toEqual([]);
  });
});

function another(keys: string): string {
  return `a list "cases" whose entries have ${keys} is another format: they have no "should_trigger", and skill-creator keeps evals under "evals", each with a "prompt"`;
}

/** Objects with their keys in order, so that texts can be compared. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]): [string, unknown] => [key, sorted(child)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
