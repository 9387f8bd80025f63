import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { BUILT_IN_FORMATS } from "../../src/load/formats/index.ts";
import { SETTINGS } from "../../src/engine/settings.ts";
import { assay } from "../support/command-line.ts";
import { EXAMPLE_FILES, EXAMPLES } from "../support/examples.ts";
import { schemaProblems } from "../../src/lib/shape/schema-problems.ts";

const HERE = { cwd: process.cwd() };

async function schemaOf(...args: string[]): Promise<Record<string, unknown>> {
  const { exitCode, out, err } = await assay(["schema", ...args], HERE);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
  return JSON.parse(out) as Record<string, unknown>;
}

describe("assay schema", () => {
  it.each(EXAMPLE_FILES)("describes %s", async (path, format, dialect) => {
    const text = readFileSync(join(EXAMPLES, path), "utf8");
    const value: unknown = path.endsWith(".yaml") ? parse(text) : JSON.parse(text);
    expect(schemaProblems(await schemaOf(format, dialect), value)).toEqual([]);
  });

  it("lists what there is a schema of", async () => {
    const { out, exitCode } = await assay(["schema"], HERE);
    expect(exitCode).toBe(0);
    for (const name of [...Object.keys(BUILT_IN_FORMATS), "config", "report"])
      expect(out).toMatch(new RegExp(`^${name}\\b`, "m"));
  });

  it("describes every setting in the words of its flag", async () => {
    const { properties } = await schemaOf("config");
    const settings = properties as Record<string, { description?: string }>;
    expect(Object.keys(settings)).toEqual(["$schema", ...Object.keys(SETTINGS)]);
    expect(settings["max_cost"]?.description).toBe(
      "stop before agents and judges together cost more than this. US dollars. A project's file may set it, never above yours.",
    );
    for (const key of Object.keys(SETTINGS)) expect(settings[key]?.description).toMatch(/\. A project's/);
  });

  it.each<[string, string, unknown]>([
    ["config", "file", { runs: "three" }],
    ["config", "file", { run: 3 }],
    ["config", "file", { network: "open" }],
    ["clauditor", "spec", { assertions: [{ id: "a", type: "contains", needle: 5 }] }],
    ["clauditor", "spec", { assertions: [{ id: "a", type: "min_length", lenght: 5 }] }],
    ["clauditor", "spec", { grade_thresholds: { min_pass_rate: 2 } }],
    ["skillet", "eval", { name: "a", prompt: "x" }],
    ["bmad", "evals", { evals: [{ id: "A1", prompt: "x" }] }],
    ["bmad", "triggers", [{ query: "x" }]],
    ["skill-creator", "evals", { evals: [{ id: 1, prompt: ["x"] }] }],
    ["skill-creator", "triggers", [{ query: 5, should_trigger: true }]],
  ])("of %s %s tells an editor what the loader would refuse: %j", async (format, dialect, value) => {
    expect(schemaProblems(await schemaOf(format, dialect), value)).not.toEqual([]);
  });

  it.each(Object.keys(BUILT_IN_FORMATS))(
    "of %s is the first of its kinds unless another is named",
    async (format) => {
      const { schemas } = await BUILT_IN_FORMATS[format as keyof typeof BUILT_IN_FORMATS]();
      const [first = "", ...others] = Object.keys(schemas);
      const schema = await schemaOf(format);
      expect(schema).toEqual(await schemaOf(format, first));
      expect(schema).toMatchObject({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: `${format} ${first}`,
      });
      for (const other of others)
        expect(await schemaOf(format, other)).toMatchObject({ title: `${format} ${other}` });
    },
  );

  it("names the kinds there are when asked for another", async () => {
    expect(await assay(["schema", "bmad", "queries"], HERE)).toEqual({
      exitCode: 2,
      out: "",
      err: 'error: bmad has no file kind "queries" [schema/unknown-dialect]\n  hint: it has evals, triggers, cases\n',
    });
  });
});
