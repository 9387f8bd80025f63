import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type Stranger, stranger } from "../support/stranger.ts";

const PAGES = join(inject("builtPackage"), "docs", "extend");
const NAMES = readdirSync(PAGES).map((name) => name.replace(/\.md$/, ""));

/** The most lines that a page may ask a reader to write; the stand-in of an agent has more to do. */
const MOST_LINES: Readonly<Record<string, number>> = { "stand-in.mjs": 40 };

let results: ContractResults;
beforeAll(async () => {
  results = await contractsOf(NAMES);
}, 300_000);

describe.each(NAMES)("docs/extend/%s.md", (name) => {
  it("shows modules that are short", () => {
    const long = Object.entries(modulesOf(name)).filter(
      ([file, text]) => text.trimEnd().split("\n").length > (MOST_LINES[file] ?? 23),
    );
    expect(long.map(([file]) => file)).toEqual([]);
  });

  it("shows an extension that keeps its contract", () => {
    const { passed, failures } = results(name);
    expect(failures).toEqual([]);
    expect(passed).toBeGreaterThan(3);
  });
});

describe("assay run --config", () => {
  it("reads evals in a format of one's own", { timeout: 60_000 }, async () => {
    const quiz = { quiz: [{ ask: "Capital of France?", answer: "Paris" }] };
    await using project = await projectOf("format", { "capitals.json": JSON.stringify(quiz) });
    const args = ["--evals", "capitals.json", "--skill", "greeter", ...SCRIPTED];
    expect(await project.assay(["run", ...args, "--json"])).toMatchObject({ code: 0 });
    expect(await project.assay(["check", "--evals", "capitals.json", ...WITH_CONFIG])).toMatchObject({
      code: 0,
    });
    expect(await project.assay(["run", ...args.slice(0, -2)])).toMatchObject({ code: 2 });
  });

  it("runs an agent of one's own", { timeout: 60_000 }, async () => {
    await using project = await projectOf("harness", { "agent.mjs": 'console.log("Hello from Paris");' });
    const ended = await project.assay([
      "run",
      "greeter",
      ...WITH_CONFIG,
      "--harness",
      "node-agent",
      "--json",
    ]);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.out).toContain("node-agent");
  });

  it("asks a grader of one's own", { timeout: 60_000 }, async () => {
    const check = { type: "custom", grader: "plain-words", with: { avoid: ["Paris"] } };
    await using project = await projectOf("grader", { "greeter/evals/evals.json": evalsWith(check) });
    const { code, out } = await project.assay(["run", "greeter", ...SCRIPTED]);
    expect(code).toBe(1);
    expect(out).toContain("not plain");
  });

  it("asks a judge of one's own", { timeout: 60_000 }, async () => {
    const check = { type: "criterion", text: "It names a city" };
    await using project = await projectOf("judge", {
      "greeter/evals/evals.json": evalsWith(check),
      "my-model.mjs": MY_MODEL,
    });
    const { code, out } = await project.assay(["run", "greeter", ...SCRIPTED, "--grading-provider", "mine"]);
    expect({ code, out }).toMatchObject({ code: 0 });
    const asked = await readFile(project.path("asked.txt"), "utf8");
    expect(asked).toContain("It names a city");
  });

  it("tells a reporter of one's own", { timeout: 60_000 }, async () => {
    await using project = await projectOf("reporter");
    const { code, out } = await project.assay(["run", "greeter", ...SCRIPTED, "--reporter", "chat"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^\*Skills\*\nPASS greeter: with_skill 1\/1 \(\.assay\/greeter\/iteration-1\)\n$/);
  });
});

const WITH_CONFIG = ["--config", "assay.config.mjs"];
const SCRIPTED = ["--harness", "scripted", "--script", "script.json", ...WITH_CONFIG];

function projectOf(page: string, files: Readonly<Record<string, string>> = {}): Promise<Stranger> {
  return stranger({
    ".git/HEAD": "",
    "greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
    "greeter/evals/evals.json": evalsWith({ type: "contains", needle: "Paris" }),
    "script.json": JSON.stringify({ replies: [{ steps: [{ text: "Hello from Paris" }] }] }),
    ...modulesOf(page),
    ...files,
  });
}

function evalsWith(check: object): string {
  const one = { id: 1, prompt: "Greet from a city", assay: { checks: [check] } };
  return JSON.stringify({ skill_name: "greeter", evals: [one] });
}

/** Finds the city, and nothing else that it is asked about. */
const MY_MODEL = `import { writeFileSync } from "node:fs";
export async function send(prompt) {
  writeFileSync("asked.txt", prompt);
  const verdicts = [...prompt.matchAll(/^(\\d+)\\. (.+)$/gm)].map(([, index, text]) => {
    const passed = text.includes("city");
    const found = passed ? { kind: "quote", text: "Hello from Paris" } : { kind: "absence", text: "" };
    const evidence = [{ ...found, sources: ["output"] }];
    return { index: Number(index), evidence, reason: "I looked.", passed, score: passed ? 1 : 0 };
  });
  const eval_feedback = { suggestions: [], overall: "" };
  return { text: JSON.stringify({ verdicts, claims: [], eval_feedback }), usage: {} };
}
`;

/** The page's modules by the file name in their first line. */
function modulesOf(page: string): Record<string, string> {
  const text = readFileSync(join(PAGES, `${page}.md`), "utf8");
  return Object.fromEntries(
    [...text.matchAll(/```js\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, file = "", code = ""]) => [file, code]),
  );
}

type ContractResults = (page: string) => {
  readonly passed: number;
  readonly failures: readonly string[];
};

/** Has vitest run the tests that the pages show, as a reader would. */
async function contractsOf(pages: readonly string[]): Promise<ContractResults> {
  const files = pages.flatMap((page) =>
    Object.entries(modulesOf(page)).map(([file, text]) => [`${page}/${file}`, text] as const),
  );
  await using project = await stranger(Object.fromEntries(files));
  const vitest = project.path("node_modules", "vitest", "vitest.mjs");
  const ended = await project.node([vitest, "run", "--reporter", "json", "--outputFile", "report.json"]);
  const text = await readFile(project.path("report.json"), "utf8").catch(() => {
    throw new Error(`vitest reported nothing:\n${ended.out}${ended.err}`);
  });
  const { testResults } = JSON.parse(text) as VitestReport;
  return (page) => {
    const own = testResults.filter(({ name }) => name.startsWith(project.path(page, "/")));
    const tests = own.flatMap(({ assertionResults }) => assertionResults);
    return {
      passed: tests.filter(({ status }) => status === "passed").length,
      failures: [
        ...own.flatMap(({ message }) => (message === "" ? [] : message)),
        ...tests
          .filter(({ status }) => status === "failed")
          .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join().slice(0, 600)}`),
      ],
    };
  };
}

/** What vitest's JSON reporter says. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}
