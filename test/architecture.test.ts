import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), "..", "src");

/** What each folder of `src/` may import of ours; `docs/architecture.md` says why. A trailing `.ts` names one file. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  domain: [],
  stats: [],
  lib: [],
  load: ["domain", "lib"],
  plan: ["domain", "stats", "lib"],
  wires: ["domain", "lib"],
  providers: ["domain", "wires", "lib"],
  gateway: ["domain", "wires", "providers", "lib"],
  run: ["domain", "providers", "lib"],
  grade: ["domain", "wires", "providers", "stats", "lib"],
  triggers: ["domain", "stats", "lib"],
  report: ["domain", "stats", "triggers", "lib"],
  store: ["domain", "lib"],
  iteration: ["domain", "run", "grade", "store", "lib"],
  compare: ["domain", "grade", "stats", "store", "lib"],
  improve: ["domain", "grade", "stats", "store", "triggers", "lib"],
  "pipeline.ts": ["domain", "load", "plan", "iteration", "run", "grade", "report", "store", "lib"],
  "index.ts": ["domain", "load", "plan", "run", "grade", "report", "store", "stats", "pipeline.ts"],
  cli: [
    "domain",
    "stats",
    "lib",
    "load",
    "plan",
    "wires",
    "providers",
    "gateway",
    "run",
    "grade",
    "report",
    "store",
    "iteration",
    "triggers",
    "compare",
    "improve",
    "pipeline.ts",
    "viewer",
  ],
};

/** Folders of same-shaped implementations: none may import another. With `/*`, only the folders in it are some. */
const IMPLEMENTATIONS = [
  "wires/*",
  "load/formats",
  "run/harnesses",
  "run/sandboxes",
  "run/executors",
  "grade/graders",
  "grade/judges",
  "report/reporters",
];

interface Import {
  readonly from: string;
  readonly to: string;
}

const imports = sourceFiles(SOURCE).flatMap(importsOf);

describe("the import table", () => {
  it("names every folder there is", () => {
    const rooms = new Set(sourceFiles(SOURCE).map((file) => room(relative(SOURCE, file))));
    expect([...rooms].filter((name) => !Object.hasOwn(MAY_IMPORT, name))).toEqual([]);
  });

  it("is the one that docs/architecture.md shows", () => {
    const page = readFileSync(join(SOURCE, "..", "docs", "architecture.md"), "utf8");
    const rows = [...page.matchAll(/^\| `src\/([^`]+?)\/?` \|.*\| ([^|]+) \|$/gm)];
    const shown = rows.map(([, name = "", list = ""]) => [name, allowedBy(list)]);
    const held = Object.entries(MAY_IMPORT).map(([name, list]) => [name, allowedBy(list.join(", "), name)]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(held));
  });

  it("is kept by every import", () => {
    const broken = imports.filter(({ from, to }) => {
      const here = room(from);
      const there = room(to);
      return here !== there && !MAY_IMPORT[here]?.includes(there);
    });
    expect(broken.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it("keeps implementations apart from their siblings", () => {
    const broken = imports.filter(({ from, to }) =>
      IMPLEMENTATIONS.some((folder) => {
        const here = implementation(folder, from);
        const there = implementation(folder, to);
        return here !== null && there !== null && here !== there && here !== "index";
      }),
    );
    expect(broken.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it("lets only the command line read the environment, print and exit", () => {
    const rim = /\bprocess\.(env|exit|argv|stdout|stderr|stdin)\b/;
    const broken = sourceFiles(SOURCE)
      .filter((file) => !relative(SOURCE, file).startsWith("cli/"))
      .filter((file) => rim.test(readFileSync(file, "utf8")));
    expect(broken.map((file) => relative(SOURCE, file))).toEqual([]);
  });
});

describe("the contract suites", () => {
  const contracts = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".contract.ts"),
  );

  it("hold for each extension point, in a file beside its interface", () => {
    expect(contracts.toSorted()).toEqual(IMPLEMENTATIONS.map(contractOf).toSorted());
  });

  it.each(contracts)(
    "%s works wherever it is installed: it needs no file and no test of this repository",
    (name) => {
      const files = [...withImports(join(SOURCE, name))];
      const outside = files.filter((file) => relative(SOURCE, file).startsWith(".."));
      expect(outside.map((file) => relative(SOURCE, file))).toEqual([]);
      const readers = files.filter((file) => /import\.meta\b/.test(readFileSync(file, "utf8")));
      expect(readers.map((file) => relative(SOURCE, file))).toEqual([]);
      const packages = new Set(files.flatMap(packagesOf));
      expect([...packages].filter((one) => !AT_HAND.has(one))).toEqual([]);
    },
  );
});

/** `run/harness.contract.ts` for `run/harnesses`. */
function contractOf(folder: string): string {
  return `${folder.replace(/(?<=ss|x)es$|s$/, "")}.contract.ts`;
}

/** What a contract may need besides Node: the test runner, and what is bundled. */
const AT_HAND = new Set(["vitest", "yaml", "jsonc-parser"]);

function withImports(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const specifier of specifiersOf(file).filter((one) => one.startsWith("."))) {
    withImports(join(dirname(file), specifier), seen);
  }
  return seen;
}

function packagesOf(file: string): readonly string[] {
  return specifiersOf(file).filter((specifier) => !/^(?:\.|node:)/.test(specifier));
}

/** The command line may import everything, which the page says in one word. */
function allowedBy(list: string, name = ""): string[] {
  if (name === "cli" || list === "everything") return ["everything"];
  return list === "nothing of ours" ? [] : list.split(", ").filter(Boolean).toSorted();
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(
      (name) =>
        /\.tsx?$/.test(name) && !/\.(test|contract)\.ts$/.test(name) && !/(^|\/)fixtures\//.test(name),
    )
    .map((name) => join(folder, name));
}

function importsOf(file: string): Import[] {
  const from = relative(SOURCE, file);
  return specifiersOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => ({ from, to: relative(SOURCE, join(dirname(file), specifier)) }))
    .filter(({ to }) => !to.startsWith(".."));
}

function specifiersOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([.\w@][\w@./:-]*)"/g)].map((match) => match[1] ?? "");
}

function room(path: string): string {
  return path.split("/")[0] ?? path;
}

function implementation(pattern: string, path: string): string | null {
  const folder = pattern.replace(/\/\*$/, "");
  if (!path.startsWith(`${folder}/`)) return null;
  const [name = "", ...inside] = path.slice(folder.length + 1).split("/");
  return pattern !== folder && inside.length === 0 ? null : name.replace(/\.ts$/, "");
}
