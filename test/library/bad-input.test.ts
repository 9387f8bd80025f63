import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Check } from "../../src/domain/check.ts";
import { UserError } from "../../src/domain/user-error.ts";
import type { Note } from "../../src/machine.ts";
import * as operations from "../../src/index.ts";
import { caller, configured, harnessLike, SCRIPTED } from "../support/library-caller.ts";
import { GOOD_REPLIES, greeterProject } from "../support/project.ts";
import type { TempTree } from "../support/temp-tree.ts";
import { machineIn } from "../support/machine.ts";

const { bench, evaluate, gradeAgain, list, readConfig, show } = operations;
/** Every operation takes options first. */
const NEEDS_OPTIONS = new Set(
  "add bench calibrate capture check clean compare controls convert demo draftFromEvals evaluate explain gradeAgain gradeText improve improveDescription init list packageSkill propose proposeFromSession schema show sim suggest auditTrend trend trendBadge".split(
    " ",
  ),
);
const broken = (): never => {
  throw new Error("it broke");
};

function said(notes: readonly Note[]): string {
  return notes
    .map((note) => (typeof note === "string" ? note : "message" in note ? note.message : note.kind))
    .join("\n");
}

/** Nothing at all, or iterations that can be shown, graded again and continued. */
async function expectWhole(project: TempTree, verdict = "passed"): Promise<readonly string[]> {
  const names = await readdir(project.path(".assay/greeter")).catch(() => []);
  const iterations = names.filter((name) => name.startsWith("iteration-"));
  if (iterations.length === 0) return [];
  const door = caller(project);
  const resumed = await evaluate({ ...SCRIPTED, resume: true }, door);
  expect(resumed.reports.map(({ summary }) => summary.verdict)).toEqual([verdict]);
  expect(await gradeAgain({ iteration: "greeter" }, door)).toMatchObject({ kind: "kept" });
  expect(await show({ run: "1" }, door)).toBeDefined();
  return iterations;
}

describe("an operation that is called wrongly", () => {
  const OPERATIONS = Object.entries(operations).filter(
    ([name, value]) => typeof value === "function" && NEEDS_OPTIONS.has(name),
  ) as [string, (options: unknown, door: unknown) => Promise<unknown> | AsyncIterable<unknown>][];

  it.each(OPERATIONS)(
    "%s refuses options that are none, by what is wrong with them",
    async (_, operation) => {
      await using project = await greeterProject(GOOD_REPLIES);
      const call = async (options: unknown) => {
        const called = await operation(options, caller(project));
        if (called !== null && typeof called === "object" && Symbol.asyncIterator in called)
          for await (const part of called as AsyncIterable<unknown>) void part;
      };
      for (const options of [[], "skills", 3])
        await expect(call(options)).rejects.toMatchObject({ code: "options/invalid" });
      await expect(call({ nonsense: 1 })).rejects.toMatchObject({ code: "options/unknown" });
      expect(await readdir(project.root)).not.toContain(".assay");
    },
  );

  it.each<[string, object, RegExp, RegExp]>([
    ["a misspelled option", { rnus: 3 }, /no option "rnus"/, /did you mean runs\?/],
    ["a wrong type", { runs: "3" }, /option runs: '3' is invalid/, /--runs/],
    ["a misspelled harness", { harnesses: ["scriptd"] }, /no harness "scriptd"/, /did you mean scripted\?/],
    ["a misspelled sandbox", { sandbox: "bwarp" }, /no sandbox "bwarp"/, /did you mean "bwrap"\?/],
    ["a misspelled case", { cases: ["grete"] }, /./, /./],
  ])("says what is near: %s", async (_, options, message, hint) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const failure = await evaluate({ ...SCRIPTED, ...options }, caller(project)).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(UserError);
    expect(failure).toMatchObject({
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
    expect(await expectWhole(project)).toEqual([]);
  });
});

describe("a signal", () => {
  it.each([
    ["evaluate", evaluate],
    ["bench", bench],
  ])("that has fired lets %s begin nothing", async (_, operation) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const signal = AbortSignal.abort(new Error("not today"));
    const ended = await operation(SCRIPTED, { ...caller(project), signal }).catch((error: unknown) => error);
    expect(ended).toMatchObject({ ended: "interrupted", reports: [] });
    expect(await expectWhole(project)).toEqual([]);
  });

  it("that fires while trials run leaves an iteration that can be continued", async () => {
    await using project = await greeterProject([
      { ...GOOD_REPLIES[0]!, steps: [{ sleepMs: 400 }, { text: "Hello Ada" }] },
      GOOD_REPLIES[1]!,
    ]);
    const stop = new AbortController();
    const stopper = {
      name: "stopper",
      event: ({ kind }: { kind: string }) => void (kind === "trial-started" && stop.abort()),
    };
    const ended = await evaluate(SCRIPTED, { ...caller(project), signal: stop.signal, reporters: [stopper] });
    expect(ended.ended).toBe("interrupted");
    expect(await expectWhole(project)).toEqual(["iteration-1"]);
  });
});

describe("a plug-in that throws", () => {
  it.each<[string, () => unknown]>([
    ["when it is made", broken],
    ["when it looks for its client", () => harnessLike({ find: broken })[0]?.create({} as never)],
    ["by being nothing", () => undefined],
  ])("is refused as a harness %s, before anything runs", async (_, create) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const config = configured({ harnesses: [{ name: "mine", help: "", create: create as never }] });
    const failure = await evaluate(
      { ...SCRIPTED, harnesses: ["mine"] },
      { ...caller(project), config },
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UserError);
    expect(failure).toMatchObject({ message: expect.stringContaining("mine") });
    expect(await expectWhole(project)).toEqual([]);
  });

  it.each<[string, object]>([
    ["grading", { grade: async () => broken() }],
    ["choosing", { decides: broken }],
    ["answering with nothing", { grade: async () => undefined }],
  ])("as a grader, %s, leaves its checks unscored", async (_, changes) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const grader = {
      name: "mine",
      needs: "code",
      decides: (check: Check) => check.kind === "contains",
      grade: broken,
      ...changes,
    };
    const config = configured({ graders: [{ name: "mine", help: "", create: () => grader as never }] });
    const { reports } = await evaluate(SCRIPTED, { ...caller(project), config });
    const verdicts = reports.flatMap(({ evaluated }) =>
      [...evaluated.gradings.values()].flatMap((one) => one.verdicts),
    );
    const statuses = verdicts.map(({ status }) => status);
    expect(statuses).toHaveLength(2);
    expect(
      verdicts
        .filter(({ status }) => status === "unscored")
        .map(({ reason }) => reason)
        .join(),
    ).toMatch(/mine/);
    expect(await expectWhole(project, "unfinished")).toEqual(["iteration-1"]);
  });

  it("as a grader that cannot be made is refused before anything runs", async () => {
    await using project = await greeterProject(GOOD_REPLIES);
    const config = configured({ graders: [{ name: "mine", help: "", create: broken }] });
    await expect(evaluate(SCRIPTED, { ...caller(project), config })).rejects.toMatchObject({
      name: "UserError",
      message: expect.stringContaining("mine"),
    });
    expect(await expectWhole(project)).toEqual([]);
  });

  it.each<[string, () => unknown, object]>([
    ["that cannot be made is refused", broken, { name: "UserError", code: "config/plugin-failed" }],
    [
      "that does not answer leaves the criteria unscored",
      () => ({ name: "mine", model: "m", ask: broken }),
      { reports: [{ summary: { verdict: "unfinished" } }] },
    ],
  ])("as a judge %s", async (_, create, expected) => {
    const evals = {
      skill_name: "greeter",
      evals: [{ id: 1, prompt: "Greet Ada", expectations: ["It is polite"] }],
    };
    await using project = await greeterProject(GOOD_REPLIES, {
      "skills/greeter/evals/evals.json": JSON.stringify(evals),
    });
    const config = configured({ judges: [{ name: "mine", help: "", create: create as never }] });
    const ended = await evaluate(
      { ...SCRIPTED, gradingProvider: "mine" },
      { ...caller(project), config },
    ).catch((error: unknown) => error);
    expect(ended).toMatchObject(expected);
  });

  it.each<[string, object]>([
    ["on an event", { event: broken }],
    ["at the end", { finish: broken }],
    ["by changing an event", { event: (event: { kind: string }) => void (event.kind = "note") }],
    [
      "by changing the reports",
      { finish: ([one]: { summary: { verdict: string } }[]) => void (one!.summary.verdict = "failed") },
    ],
  ])("as a reporter, %s, is left out with a note", async (_, reporter) => {
    await using project = await greeterProject(GOOD_REPLIES);
    const door = caller(project);
    const heard: string[] = [];
    const other = { name: "other", event: ({ kind }: { kind: string }) => void heard.push(kind) };
    const { reports } = await evaluate(SCRIPTED, {
      ...door,
      reporters: [{ name: "mine", ...reporter }, other],
    });
    expect(reports.map(({ summary }) => summary.verdict)).toEqual(["passed"]);
    expect(said(door.machine.notes)).toMatch(/the mine reporter failed and is left out/);
    expect(heard.at(-1)).toBe("iteration-finished");
    expect(await expectWhole(project)).toEqual(["iteration-1"]);
  });

  it.each(["recognise", "load"])("as a format, in %s, is an error about the file", async (verb) => {
    await using project = await greeterProject(GOOD_REPLIES, { "odd.json": '{"odd": true}' });
    const format = {
      name: "mine",
      recognise: () => ({ dialect: "d", confidence: "certain" }),
      load: broken,
      write: broken,
      schemas: {},
      [verb]: broken,
    };
    const door = { ...caller(project), config: configured({ formats: [format as never] }) };
    const failure = await evaluate({ ...SCRIPTED, evals: "odd.json" }, door).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: "UserError",
      diagnostics: [{ message: expect.stringContaining("mine") }],
    });
    expect((await list({ targets: ["odd.json"] }, door)).errors).toHaveLength(1);
    expect(await expectWhole(project)).toEqual([]);
  });
});

describe("a configuration module", () => {
  it.each([
    ["throws", 'throw new Error("it broke");'],
    ["does not parse", "export default {"],
    ["exports a number", "export default 42;"],
    ["exports a list", "export default [];"],
    ["has reporters that are no list", "export default { reporters: 3 };"],
    ["has a reporter without a name", "export default { reporters: [{ create() {} }] };"],
    [
      "has two harnesses of one name",
      'const one = { name: "a", create() {} }; export default { harnesses: [one, one] };',
    ],
    ["has an unknown key", "export default { harnes: 1 };"],
    ["has a setting that is no value", "export default { harness: () => 1 };"],
    ["has a setting without a JSON form", "export default { runs: 3n };"],
    ["has settings in a circle", "const one = {}; one.harness = one; export default one;"],
  ])("that %s is refused", async (_, text) => {
    await using project = await greeterProject([], { "assay.config.mjs": text });
    const failure = await readConfig("assay.config.mjs", machineIn(project.root)).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(UserError);
    expect(failure).toMatchObject({ message: expect.stringContaining("assay.config.mjs") });
  });
});
