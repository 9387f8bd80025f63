import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hasErrors } from "../../src/domain/diagnostic.ts";
import { check, type CheckedPart, CHECK_OPTIONS, LINT_RULES } from "../../src/operations/check.ts";
import { convert } from "../../src/operations/convert.ts";
import { packageSkill } from "../../src/operations/package-skill.ts";
import { schema } from "../../src/operations/schema.ts";
import { machineIn } from "../support/machine.ts";
import { tempTree } from "../support/temp-tree.ts";

const SKILL = "---\nname: tidy\ndescription: Tidies rooms.\n---\nDo it.\n";
const EVALS = JSON.stringify({ evals: [{ id: 1, prompt: "x", expectations: ["y"] }] });
const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`s${n}/SKILL.md`, SKILL.replace("tidy", `s${n}`)]),
  );

describe("check, called by a program", () => {
  it("hands out skills one at a time and can be left early", async () => {
    await using tree = await tempTree(many(20));
    const parts: CheckedPart[] = [];
    for await (const part of check({}, { machine: machineIn(tree.root) })) {
      parts.push(part);
      if (parts.flatMap(({ suites }) => suites).length === 3) break;
    }
    expect(Math.max(...parts.map(({ suites }) => suites.length))).toBe(1);
  });

  it("stops when its signal fires", async () => {
    await using tree = await tempTree(many(20));
    const stop = new AbortController();
    let seen = 0;
    const looking = async () => {
      for await (const { suites } of check({}, { machine: machineIn(tree.root), signal: stop.signal })) {
        seen += suites.length;
        if (seen === 2) stop.abort(new Error("enough"));
      }
    };
    await expect(looking()).rejects.toThrow("enough");
    expect(seen).toBe(2);
  });

  it("holds skills to a profile and makes notes errors, as the flags do", async () => {
    await using tree = await tempTree({ "tidy/SKILL.md": SKILL.replace("---\nDo", "model: x\n---\nDo") });
    const failed = async (options: Parameters<typeof check>[0]) => {
      const found = [];
      for await (const part of check({ targets: ["tidy"], ...options }, { machine: machineIn(tree.root) }))
        found.push(...part.diagnostics);
      return hasErrors(found);
    };
    expect(await failed({})).toBe(false);
    expect(await failed({ profile: "spec" })).toBe(true);
    expect(await failed({ strict: true })).toBe(true);
  });

  it.each([
    [{ profil: "spec" }, "did you mean profile?"],
    [{ profile: "lax" }, "it takes what --profile <name> takes on the command line"],
  ])("refuses %j before it looks at any file", (options, hint) => {
    expect(() => check(options as object, { machine: machineIn("/nonexistent") })).toThrow(
      expect.objectContaining({ name: "UserError", hint }),
    );
  });

  it("says what each rule is in each profile", () => {
    const profile = CHECK_OPTIONS.profile.otherwise;
    expect(LINT_RULES.every((rule) => ["error", "note", "off"].includes(rule.severity[profile]))).toBe(true);
  });
});

describe("convert, called by a program", () => {
  it("answers with the text and writes nothing without an output", async () => {
    await using tree = await tempTree({ "tidy/SKILL.md": SKILL, "tidy/evals/evals.json": EVALS });
    const options = { file: "tidy/evals/evals.json", to: "bmad", lossy: true } as const;
    const converted = await convert(options, { machine: machineIn(tree.root) });
    expect(converted).toMatchObject({ status: "converted", files: [{ name: null, path: null }] });
  });

  it("answers with the losses instead of writing", async () => {
    await using tree = await tempTree({
      "tidy/SKILL.md": SKILL,
      "tidy/SKILL.eval.json": JSON.stringify({
        test_args: "x",
        assertions: [{ id: "a", type: "contains", needle: "y" }],
      }),
    });
    const options = { file: "tidy/SKILL.eval.json", to: "skillet", output: "out.yaml" } as const;
    const refused = await convert(options, { machine: machineIn(tree.root) });
    expect(refused).toEqual({ status: "refused", losses: expect.arrayContaining([expect.any(String)]) });
    expect(existsSync(tree.path("out.yaml"))).toBe(false);
    const forced = await convert({ ...options, lossy: true }, { machine: machineIn(tree.root) });
    const [file] = forced.status === "converted" ? forced.files : [];
    expect(file?.path).toBe(tree.path("out.yaml"));
    expect(readFileSync(tree.path("out.yaml"), "utf8")).toBe(file?.text);
  });

  it("asks for what it cannot do without", async () => {
    const options = { file: "evals.json" } as Parameters<typeof convert>[0];
    await expect(convert(options, { machine: machineIn("/") })).rejects.toMatchObject({
      code: "options/missing",
      message: "option to is missing",
    });
  });
});

it("schema gives the first file kind of a format, or the one that is named", async () => {
  const door = { machine: machineIn("/") };
  const first = await schema({ format: "bmad" }, door);
  expect(first.dialect).toBe(first.dialects[0]);
  const named = await schema({ format: "bmad", dialect: "triggers" }, door);
  expect(named.schema).toMatchObject({ title: "bmad triggers" });
  await expect(schema({ format: "bmad", dialect: "constructor" }, door)).rejects.toMatchObject({
    code: "schema/unknown-dialect",
  });
});

it("packageSkill writes where the caller is, and says what it left out", async () => {
  await using tree = await tempTree({ "tidy/SKILL.md": SKILL, "tidy/evals/evals.json": EVALS });
  const packed = await packageSkill({ skill: "tidy/SKILL.md" }, { machine: machineIn(tree.root) });
  expect(packed).toMatchObject({
    path: tree.path("tidy.skill"),
    files: ["tidy/SKILL.md"],
    leftOut: ["evals"],
  });
  expect(existsSync(packed.path)).toBe(true);
});
