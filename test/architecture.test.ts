import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), "..", "src");

/** Everything that is chosen and opened from options. */
const BELOW_OPERATIONS =
  "domain machine.ts options load plan providers gateway run grade report store iteration triggers lib".split(
    " ",
  );

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
  iteration: ["domain", "plan", "run", "grade", "report", "store", "triggers", "gateway", "lib"],
  compare: ["domain", "grade", "stats", "store", "lib"],
  improve: ["domain", "grade", "stats", "store", "triggers", "lib"],
  "machine.ts": ["domain"],
  "this-machine.ts": ["machine.ts"],
  options: ["domain", "lib"],
  engine: BELOW_OPERATIONS,
  "pipeline.ts": ["domain", "engine", "iteration", "report", "lib"],
  operations: [...BELOW_OPERATIONS, "compare", "improve", "stats", "engine", "pipeline.ts"],
  "toolbox.ts": ["domain", "load", "run", "grade", "wires", "lib"],
  "contracts.ts": ["load", "run", "grade", "report"],
  "index.ts": ["domain", "machine.ts", "this-machine.ts", "operations", "load", "run", "grade", "report"],
  viewer: ["domain", "machine.ts", "operations"],
  runners: ["domain", "machine.ts", "this-machine.ts", "operations"],
  vitest: ["domain", "runners", "operations"],
  "node-test": ["domain", "runners"],
  cli: ["domain", "machine.ts", "operations", "viewer"],
};

/** Rooms that may use only what a program that installs Assay can use. */
const DOORS: ReadonlySet<string> = new Set(["viewer", "cli", "runners", "vitest", "node-test"]);

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

  it("gives the viewer's app nothing but words", () => {
    const broken = imports.filter(
      ({ from, to }) =>
        from.startsWith("viewer/app/") && !/^(?:viewer\/(?:app\/|api\.ts$)|domain\/)/.test(to),
    );
    expect(broken.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it("lets only the command line read the environment, print and exit", () => {
    const rim = /\bprocess\.(env|exit|argv|stdout|stderr|stdin)\b/;
    expect(belowTheDoors().filter((file) => rim.test(textOf(file)))).toEqual([]);
    const imported = /from "node:process"/;
    expect(belowTheDoors().filter((file) => imported.test(textOf(file)))).toEqual(["this-machine.ts"]);
  });

  it("lets operations and the engine ask only the Machine for the time", () => {
    const clock = /\bnew Date\(\)|\bDate\.now\(|(?<!new )\bDate\(\)/;
    const bound = belowTheDoors().filter((file) =>
      /^(?:engine|operations|iteration|plan)\/|^pipeline/.test(file),
    );
    expect(bound.filter((file) => clock.test(withoutComments(textOf(file))))).toEqual([]);
  });

  it("keeps the terminal and commander inside the command line", () => {
    const words = /\bTerminal\b|from "commander"/;
    expect(belowTheDoors().filter((file) => words.test(withoutComments(textOf(file))))).toEqual([]);
  });

  it("lets the doors use only what a program that installs Assay can use", () => {
    const open = publicModules();
    const closed = imports.filter(
      ({ from, to }) =>
        DOORS.has(room(from)) &&
        room(to) !== room(from) &&
        // What the doors of test runners share.
        room(to) !== "runners" &&
        !/^domain\/[^/]*$/.test(to) &&
        !open.has(to),
    );
    expect(closed.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
    const words = sourceFiles(join(SOURCE, "domain"))
      .map((file) => `./${relative(SOURCE, file)}`)
      .filter((file) => !file.startsWith("./domain/checks/"));
    const told = specifiersOf(join(SOURCE, "index.ts"));
    expect(words.filter((file) => !told.includes(file))).toEqual([]);
  });
});

/** The modules that package.json exports. */
function publicModules(): ReadonlySet<string> {
  const { exports } = JSON.parse(readFileSync(join(SOURCE, "..", "package.json"), "utf8")) as {
    exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const types = Object.values(exports).flatMap(({ types }) => types ?? []);
  return new Set([
    "machine.ts",
    ...types.map((path) => path.replace("./dist/types/", "").replace(".d.ts", ".ts")),
  ]);
}

function belowTheDoors(): readonly string[] {
  return sourceFiles(SOURCE)
    .map((file) => relative(SOURCE, file))
    .filter((file) => !file.startsWith("cli/"));
}

function textOf(file: string): string {
  return readFileSync(join(SOURCE, file), "utf8");
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");
}

describe("the words", () => {
  it("each name one type: what is exported under a name is declared in one place", () => {
    const declared = sourceFiles(SOURCE)
      .map((file) => relative(SOURCE, file))
      .filter((file) => !TEST_KITS.test(file))
      .flatMap((file) => typesOf(file).map((name) => ({ name, file })));
    const byName = new Map<string, string[]>();
    for (const { name, file } of declared) byName.set(name, [...(byName.get(name) ?? []), file]);
    const twice = [...byName].filter(
      ([name, files]) => files.length > 1 && !areApart(files) && !SHARED.has(name),
    );
    expect(twice.map(([name, files]) => `${name}: ${files.join(", ")}`)).toEqual([]);
  });

  it("are let off only where two places still share them", () => {
    const all = sourceFiles(SOURCE).flatMap((file) => typesOf(relative(SOURCE, file)));
    const once = [...SHARED].filter((name) => all.filter((one) => one === name).length < 2);
    expect(once).toEqual([]);
  });
});

/** What only tests import. */
const TEST_KITS = /\/(?:testing|test-client)\.ts$/;

/**
 * Words that making a workspace and looking ahead share with rooms that never meet them: how a folder is listed, captured and
 * layered, and what a finding is about.
 */
const SHARED: ReadonlySet<string> = new Set([
  "CaptureOptions",
  "Captured",
  "Layer",
  "Listing",
  "OutputText",
  "Subject",
]);

function typesOf(file: string): readonly string[] {
  const declarations = textOf(file).matchAll(/^export (?:interface|type|(?:abstract )?class|enum) (\w+)/gm);
  return [...declarations].map(([, name = ""]) => name);
}

/** Implementations of one interface speak each their own client's or format's language, and cannot import each other. */
function areApart(files: readonly string[]): boolean {
  return IMPLEMENTATIONS.some((folder) => {
    const names = files.map((file) => implementation(folder, file));
    return names.every((name) => name !== null) && new Set(names).size === files.length;
  });
}

describe("the contract suites", () => {
  const contracts = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".contract.ts"),
  );

  it("hold for each extension point, in a file beside its interface", () => {
    const points = IMPLEMENTATIONS.filter((folder) => !folder.endsWith("*"));
    expect(contracts.toSorted()).toEqual(points.map(contractOf).toSorted());
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

/** Of operations a door may import only the public ones, which the page says in two words. */
function allowedBy(list: string, name = ""): string[] {
  if (DOORS.has(name) || list === "public modules") return ["public modules"];
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
