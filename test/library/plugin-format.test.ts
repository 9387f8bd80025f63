import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { UserError } from "../../src/domain/user-error.ts";
import { check, evaluate, list } from "../../src/index.ts";
import { plainCase } from "../../src/domain/suite.ts";
import type { LoadContext, SourceDocument } from "../../src/load/format.ts";
import { SCRIPTED, caller, configured, hangUntilStopped } from "../support/library-caller.ts";
import { GOOD_REPLIES, greeterProject } from "../support/project.ts";
import type { TempTree } from "../support/temp-tree.ts";

const ODD = { ...SCRIPTED, evals: "odd.json" };
const CHECK = {
  id: "c1",
  layer: "L1",
  text: "greets",
  appliesTo: "every-variant",
  origin: null,
  kind: "contains",
  needle: "Hello",
  ignoreCase: false,
};

type Load = (document: SourceDocument, context: LoadContext) => unknown;

function door(project: TempTree, load: Load, changes: object = {}) {
  const format = {
    name: "mine",
    recognise: () => ({ dialect: "d", confidence: "certain" }),
    load,
    write: () => ({ text: "", losses: [] }),
    schemas: {},
    ...changes,
  };
  return { ...caller(project), config: configured({ formats: [format as never] }) };
}

function oddProject(): Promise<TempTree> {
  return greeterProject(GOOD_REPLIES, { "odd.json": '{"odd": true}' });
}

/** Loads one case that differs from a good one in this. */
function caseWith(changes: object, file: object = {}): Load {
  return async ({ path, at, root }) => {
    const prompt = { kind: "turns", turns: ["Greet Ada"] } as const;
    const head = {
      id: "one",
      declaredId: null,
      kind: "task",
      format: "mine",
      at: at(root.start),
      prompt,
    } as const;
    const one = { ...plainCase(head), checks: [CHECK], ...changes };
    return {
      path,
      format: "mine",
      dialect: "d",
      skillName: null,
      description: null,
      cases: [one],
      extras: {},
      ...file,
    };
  };
}

describe("what a format of one's own answers", () => {
  it("is run and kept where it is right", async () => {
    await using project = await oddProject();
    const { reports } = await evaluate(ODD, door(project, caseWith({})));
    expect(reports.map(({ summary }) => summary.verdict)).toEqual(["passed"]);
    expect(await readdir(project.path(".assay/greeter/iteration-1"))).toContain("eval-one");
  });

  it.each<[string, Load, string, RegExp]>([
    ["a number", async () => 5, "mine/wrong-type", /what load returned must be an object/],
    [
      "an object without cases",
      async () => ({ dialect: "d" }),
      "mine/missing-key",
      /what load returned has no "cases"/,
    ],
    ["nothing", async () => undefined, "mine/not-json", /must be a value, not undefined/],
    ["null without a reason", async () => null, "load/format-broke", /reported no error/],
    [
      "an id that is a path",
      caseWith({ id: "../../../evil" }),
      "mine/bad-id",
      /cases\[0\]\.id contains a path separator/,
    ],
    ["an id that is a number", caseWith({ id: 7 }), "mine/wrong-type", /cases\[0\]\.id must be a string/],
    [
      "a prompt that is null",
      caseWith({ prompt: null }),
      "mine/wrong-type",
      /cases\[0\]\.prompt must be an object/,
    ],
    [
      "checks that are a number",
      caseWith({ checks: 5 }),
      "mine/wrong-type",
      /cases\[0\]\.checks must be a list/,
    ],
    [
      "a check of no kind",
      caseWith({ checks: [{ ...CHECK, kind: "vibes" }] }),
      "mine/not-a-choice",
      /checks\[0\]\.kind is "vibes"/,
    ],
    [
      "a check without what it looks for",
      caseWith({ checks: [{ ...CHECK, needle: 5 }] }),
      "mine/wrong-type",
      /checks\[0\]\.needle/,
    ],
    [
      "two checks of one id",
      caseWith({ checks: [CHECK, CHECK] }),
      "mine/same-id",
      /two checks with the id "c1"/,
    ],
    [
      "a file outside the workspace",
      caseWith({ files: [{ kind: "inline", target: "../x", content: "" }] }),
      "mine/bad-path",
      /leaves its root/,
    ],
    [
      "settings of a wrong type",
      caseWith({ settings: { timeoutSeconds: "5" } }),
      "mine/wrong-type",
      /timeoutSeconds must be a number/,
    ],
    ["a circle", caseWith({}, circle()), "mine/not-json", /cannot be written as JSON/],
    [
      "a report that is none",
      async (_, { report }) => report(5 as never),
      "load/format-broke",
      /what was reported must be an object/,
    ],
  ])("is an error about the file, before anything is made: %s", async (_, load, code, message) => {
    await using project = await oddProject();
    const before = await readdir(project.root);
    const own = door(project, load);
    const failure: unknown = await evaluate(ODD, own).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UserError);
    const diagnostic = {
      code,
      message: expect.stringMatching(message),
      at: { file: project.path("odd.json"), line: 1, column: 1 },
    };
    expect(failure).toMatchObject({ code: "load/invalid", diagnostics: [diagnostic] });
    expect((failure as UserError).diagnostics[0]?.message).toMatch(
      /^the format mine in your configuration failed: /,
    );
    expect((await list({ targets: ["odd.json"] }, own)).errors).toMatchObject([diagnostic]);
    expect(await readdir(project.root)).toEqual(before);
  });

  it.each([
    ["a number", () => 5],
    ["a promise", async () => ({ dialect: "d", confidence: "certain" })],
  ])("is an error where recognise answers %s", async (_, recognise) => {
    await using project = await oddProject();
    const { errors } = await list({ targets: ["odd.json"] }, door(project, caseWith({}), { recognise }));
    expect(errors).toMatchObject([{ message: expect.stringContaining("what recognise returned") }]);
  });
});

describe("a format of one's own that does not end", () => {
  it("is given up when the call is stopped", async () => {
    await using project = await oddProject();
    const { hang, signal } = hangUntilStopped();
    const own = { ...door(project, hang), signal };
    await expect(evaluate(ODD, own)).rejects.toMatchObject({
      name: "UserError",
      diagnostics: [{ message: expect.stringContaining("before the call was stopped") }],
    });
    expect(existsSync(project.path(".assay"))).toBe(false);
  });

  it("is given up by a look, too", async () => {
    await using project = await oddProject();
    const { hang, signal } = hangUntilStopped();
    const own = { ...door(project, hang), signal };
    const look = async () => {
      for await (const part of check({ targets: ["odd.json"] }, own)) void part;
    };
    await expect(look()).rejects.toMatchObject({ name: "TimeoutError" });
  });
});

function circle(): object {
  const one: { description?: unknown } = {};
  one.description = one;
  return one;
}
