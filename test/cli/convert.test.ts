import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { FormatName } from "../../src/domain/suite.ts";
import { assay } from "../support/command-line.ts";
import { copyOfExamples, EXAMPLE_FILES, EXAMPLES } from "../support/examples.ts";
import { tempTree } from "../support/temp-tree.ts";

const FORMATS: readonly FormatName[] = ["clauditor", "skillet", "bmad", "skill-creator"];
const SKILL = "---\nname: tidy\ndescription: Tidies.\n---\nDo it.\n";

function valueOf(path: string, text: string): unknown {
  return /\.ya?ml$/.test(path) ? parse(text) : JSON.parse(text);
}

describe("assay convert to a file's own format", () => {
  it.each(EXAMPLE_FILES)("loses nothing of %s", async (path, format) => {
    const { exitCode, out, err } = await assay(["convert", path, "--to", format], { cwd: EXAMPLES });
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(valueOf(path, out)).toEqual(valueOf(path, readFileSync(join(EXAMPLES, path), "utf8")));
  });
});

describe("assay convert between formats", () => {
  const pairs = EXAMPLE_FILES.flatMap(([path, from]) =>
    FORMATS.filter((to) => to !== from).map((to) => [path, to] as const),
  );

  it.each(pairs)(
    "of %s to %s is lossless, or lists what is lost and then writes the rest",
    async (path, to) => {
      await using examples = await copyOfExamples();
      const here = { cwd: examples.root };
      const output = join(dirname(path), "converted");
      const careful = await assay(["convert", path, "--to", to, "--output", output], here);
      expect(careful.exitCode === 2).toBe(
        /^lost in [a-z-]+:\n {2}- [\s\S]*nothing was written, because [a-z-]+ cannot express all of it/.test(
          careful.err,
        ),
      );
      expect(existsSync(join(examples.root, output))).toBe(careful.exitCode === 0);
      const lossy = await assay(
        ["convert", path, "--to", to, "--lossy", "--force", "--output", output],
        here,
      );
      const nothingLeft = lossy.err.includes("cannot express anything of this");
      expect(nothingLeft).toBe(to === "skillet" && /trigger/.test(path));
      expect(lossy.exitCode).toBe(nothingLeft ? 2 : 0);
      expect(lossy.err.includes("cannot express everything; lost:\n  - ")).toBe(
        careful.exitCode === 2 && !nothingLeft,
      );
    },
  );

  it("writes files that load again as what they were converted to", async () => {
    await using tree = await tempTree({
      "tidy/SKILL.md": SKILL,
      "tidy/evals/evals.json": JSON.stringify({
        skill_name: "tidy",
        evals: [
          { id: 1, prompt: "Tidy the desk.", expectations: ["The desk is tidy"] },
          { id: 2, prompt: "Tidy the attic.", expectations: ["Nothing is lost", "Boxes have labels"] },
        ],
      }),
    });
    const here = { cwd: tree.root };
    for (const to of FORMATS) {
      const name = { clauditor: "c", skillet: "s", bmad: "b/evals.json", "skill-creator": "k/evals.json" }[
        to
      ];
      const convert = ["convert", "tidy/evals/evals.json", "--to", to, "--lossy", "--output", `out/${name}`];
      expect((await assay(convert, here)).exitCode).toBe(0);
      const again = await assay(["check", `out/${name}`, "--skill", "tidy", "--json"], here);
      expect(again.exitCode).toBe(0);
      const { suites } = JSON.parse(again.out) as {
        suites: { cases: number; files: { format: string }[] }[];
      };
      expect(suites.reduce((sum, { cases }) => sum + cases, 0)).toBe(2);
      expect(new Set(suites.flatMap(({ files }) => files.map(({ format }) => format)))).toEqual(
        // Evals with ids, prompts and expectations are BMad's as much as skill-creator's; the place decides.
        new Set([to === "bmad" ? "skill-creator" : to]),
      );
    }
  });
});

describe("assay convert", () => {
  const FILES = {
    "tidy/SKILL.md": SKILL,
    "tidy/evals/evals.json":
      '{"evals": [{"id": 1, "prompt": "x", "expectations": ["y"]}, {"id": 2, "prompt": "z", "expectations": ["w"]}]}',
  };
  const CONVERT = ["convert", "tidy/evals/evals.json", "--to"];

  it("asks for a place where one file becomes several", async () => {
    await using tree = await tempTree(FILES);
    const { exitCode, out, err } = await assay([...CONVERT, "skillet", "--lossy"], { cwd: tree.root });
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(err).toContain(
      "error: this becomes 2 files [convert/several-files]\n  hint: choose a directory for them with --output\n",
    );
  });

  it("never overwrites unless told to, and then says what it wrote", async () => {
    await using tree = await tempTree({ ...FILES, "mine.json": "precious" });
    const refused = await assay([...CONVERT, "skill-creator", "--output", "mine.json"], { cwd: tree.root });
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining("mine.json already exists") });
    expect(readFileSync(tree.path("mine.json"), "utf8")).toBe("precious");
    const forced = await assay([...CONVERT, "skill-creator", "--output", "mine.json", "--force"], {
      cwd: tree.root,
    });
    expect(forced).toEqual({ exitCode: 0, out: "", err: "wrote 1 file to mine.json\n" });
    expect(JSON.parse(readFileSync(tree.path("mine.json"), "utf8"))).toEqual(
      JSON.parse(FILES["tidy/evals/evals.json"]),
    );
  });

  it("names the eval files of what is none itself", async () => {
    await using tree = await tempTree(FILES);
    const { exitCode, err } = await assay(["convert", "tidy", "--to", "bmad"], { cwd: tree.root });
    expect(exitCode).toBe(2);
    expect(err).toBe(
      "error: tidy is not an eval file [convert/not-a-file]\n  hint: convert takes one at a time, e.g. tidy/evals/evals.json\n",
    );
  });

  it("does not convert what cannot be loaded, and says why", async () => {
    await using tree = await tempTree({ "evals.json": '{"evals": [{"id": 1, "prompt": 5}]}' });
    const { exitCode, out, err } = await assay(["convert", "evals.json", "--to", "bmad"], { cwd: tree.root });
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(err).toMatch(
      /^evals\.json:1:32 error: .*\n[^]*error: evals\.json cannot be converted because it cannot be loaded/,
    );
  });
});

const SEEDS = fileURLToPath(new URL("../../../shared/seeds", import.meta.url));

describe.skipIf(!existsSync(SEEDS))(
  "the format documents' own examples (skipped where they are absent)",
  () => {
    /** Every value in a document that parses as JSON and is not part of another. */
    function jsonIn(document: string): string[] {
      const found: string[] = [];
      for (let start = 0; start < document.length; start++) {
        if (document[start] !== "{" && document[start] !== "[") continue;
        const text = firstJson(document.slice(start, start + 8000));
        if (text === null || text.length < 20) continue;
        found.push(text);
        start += text.length - 1;
      }
      return found;
    }

    function firstJson(text: string): string | null {
      for (let end = text.search(/[}\]]/); end !== -1 && end < text.length; end++) {
        if (text[end] !== "}" && text[end] !== "]") continue;
        try {
          JSON.parse(text.slice(0, end + 1));
          return text.slice(0, end + 1);
        } catch {
          continue;
        }
      }
      return null;
    }

    const read = (name: string) => (existsSync(SEEDS) ? readFileSync(join(SEEDS, name), "utf8") : "");
    const object = (text: string) => JSON.parse(text) as Record<string, unknown>;

    async function roundTrip(files: Readonly<Record<string, string>>, path: string, format: FormatName) {
      await using tree = await tempTree({ ".git/HEAD": "", "skills/tidy/SKILL.md": SKILL, ...files });
      const { exitCode, out, err } = await assay(["convert", path, "--to", format], { cwd: tree.root });
      expect({ path, exitCode, errors: err.match(/.* error: .*/g) }).toEqual({
        path,
        exitCode: 0,
        errors: null,
      });
      const original = valueOf(path, files[path] ?? "");
      // A spec that leaves its skill's name out gets the one it has in fact.
      const named = format === "clauditor" ? { skill_name: "tidy", ...(original as object) } : original;
      expect(valueOf(path, out)).toEqual(named);
    }

    it("of clauditor come back whole", async () => {
      const specs = jsonIn(read("clauditor-eval-spec.txt")).filter((text) =>
        ["assertions", "sections", "test_args", "grading_criteria", "input_files", "trigger_tests"].some(
          (key) => Object.hasOwn(object(text), key),
        ),
      );
      expect(specs.length).toBeGreaterThanOrEqual(4);
      for (const spec of specs) {
        const inputs = (object(spec)["input_files"] ?? []) as string[];
        const staged = Object.fromEntries(inputs.map((name) => [`skills/tidy/${name}`, "x"]));
        await roundTrip(
          { "skills/tidy/SKILL.eval.json": spec, ...staged },
          "skills/tidy/SKILL.eval.json",
          "clauditor",
        );
      }
    });

    it("of Skillet come back whole", async () => {
      const blocks = [...read("skillet-eval-format.md").matchAll(/```yaml\n([\s\S]*?)```/g)].map(
        ([, text]) => text ?? "",
      );
      const whole = blocks.filter((text) => text.includes("timestamp:"));
      expect(whole.length).toBeGreaterThanOrEqual(2);
      for (const text of whole) await roundTrip({ "evals/001.yaml": text }, "evals/001.yaml", "skillet");
    });

    it("of BMad come back whole", async () => {
      const found = jsonIn(read("bmad-eval-format.txt"));
      const evals = found.filter((text) => Object.hasOwn(object(text), "evals"));
      const queries = found.filter((text) => text.includes('"query"'));
      expect([evals.length, queries.length]).toEqual([1, 1]);
      await roundTrip({ "evals/tidy/evals.json": evals[0] ?? "" }, "evals/tidy/evals.json", "bmad");
      await roundTrip({ "evals/tidy/triggers.json": queries[0] ?? "" }, "evals/tidy/triggers.json", "bmad");
    });

    it("of skill-creator come back whole, and its result files are known for what they are", async () => {
      const found = jsonIn(read("skill-creator-schemas.txt"));
      const evals = found.filter((text) => Object.hasOwn(object(text), "evals"));
      const others = found.filter((text) => !Object.hasOwn(object(text), "evals"));
      expect(evals).toHaveLength(1);
      expect(others.length).toBeGreaterThanOrEqual(7);
      const path = "skills/tidy/evals/evals.json";
      await roundTrip({ [path]: evals[0] ?? "" }, path, "skill-creator");
      for (const text of others) {
        await using tree = await tempTree({ "result.json": text });
        const { exitCode, out } = await assay(["check", "result.json"], { cwd: tree.root });
        expect({ exitCode, out }).toEqual({
          exitCode: 2,
          out: expect.stringMatching(/^result\.json:\d+:\d+ error: .*\n {2}hint: /),
        });
      }
    });
  },
);
