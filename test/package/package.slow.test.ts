import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setup } from "../support/built-package.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const run = promisify(execFile);

/** What npm tells of an archive. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

let close: () => Promise<void>;
let root = "";
let place: TempTree;
let packed: Packed;

/** Somebody with an empty home: nothing that this machine is configured with but how npm reaches its registry. */
function env(home: string): NodeJS.ProcessEnv {
  const npm = Object.entries(process.env).filter(([name]) =>
    /^npm_config_(?:registry|userconfig|cafile|.*proxy)$/i.test(name),
  );
  return { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, ...Object.fromEntries(npm) };
}

beforeAll(async () => {
  const provide = (_: unknown, path: string) => void (root = path);
  close = await setup({ provide } as unknown as Parameters<typeof setup>[0]);
  place = await tempTree({ "home/": "", "project/": "" });
  const args = ["pack", "--ignore-scripts", "--offline", "--json", "--pack-destination", place.root];
  const { stdout } = await run("npm", args, { cwd: root, env: env(place.path("home")) });
  packed = (JSON.parse(stdout) as Packed[])[0] as Packed;
}, 300_000);
afterAll(async () => {
  await place[Symbol.asyncDispose]();
  await close();
});

describe("the package", () => {
  it("holds these kinds of files and no others", () => {
    const kinds = new Set(packed.files.map(({ path }) => kindOf(path)));
    expect([...kinds].toSorted()).toMatchInlineSnapshot(`
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "SECURITY.md",
        "bin/assay.js",
        "bin/code-cache.js",
        "bin/package.json",
        "bin/scripted-agent.mjs",
        "dist/*.cjs",
        "dist/*.js",
        "dist/chunks/*.cjs",
        "dist/library/*.js",
        "dist/types/*.ts",
        "dist/viewer/*.css",
        "dist/viewer/*.js",
        "docs/*.md",
        "docs/*.svg",
        "docs/design/*.md",
        "docs/extend/*.md",
        "docs/images/*.png",
        "docs/images/*.svg",
        "docs/reference/*.md",
        "examples/*.csv",
        "examples/*.js",
        "examples/*.json",
        "examples/*.jsonl",
        "examples/*.md",
        "examples/*.mjs",
        "examples/*.py",
        "examples/*.txt",
        "examples/*.yaml",
        "examples/*.yml",
        "package.json",
        "skills/*.json",
        "skills/*.jsonl",
        "skills/*.md",
        "skills/*.txt",
      ]
    `);
  });

  it("holds every folder that it should, and so many files where the number is known", () => {
    const counts = new Map<string, number>();
    for (const { path } of packed.files) {
      const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : ".";
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted()).toEqual([".", "bin", "dist", "docs", "examples", "skills"]);
    expect({ root: counts.get("."), bin: counts.get("bin") }).toEqual({ root: 5, bin: 4 });
    const skill = packed.files.map(({ path }) => path).filter((path) => path.startsWith("skills/"));
    expect(skill).toContain("skills/assay/.claude-plugin/plugin.json");
    expect(skill.filter((path) => path.endsWith(".jsonl"))).toHaveLength(6);
    // Every public module is there, with its types.
    const modules = packed.files.filter(({ path }) => /^dist\/[^/]+\.js$/.test(path));
    expect(modules.length).toBeGreaterThan(40);
  });

  it("takes at most 25 MB with the viewer, and runs nothing when it is installed", async () => {
    expect(packed.size).toBeLessThanOrEqual(25_000_000);
    expect(packed.unpackedSize).toBeLessThan(25_000_000);
    expect(packed.files.map(({ path }) => path)).toContain("dist/viewer/app.js");
    const { scripts, dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      scripts: Readonly<Record<string, string>>;
      dependencies?: object;
    };
    const atInstall = ["preinstall", "install", "postinstall"].filter((name) => Object.hasOwn(scripts, name));
    expect({ atInstall, dependencies }).toEqual({ atInstall: [], dependencies: undefined });
  });

  it("names nothing of the machine that it was built on", async () => {
    const { stdout } = await run("tar", ["-xzOf", place.path(packed.filename)], { maxBuffer: 2 ** 28 });
    const machine = [root, process.env["HOME"] ?? root].filter((path) => path.length > 6);
    expect(machine.filter((path) => stdout.includes(path))).toEqual([]);
  });
});

describe("installed into an empty project", { timeout: 300_000 }, () => {
  it("is one package, without a warning", async () => {
    await writeFile(place.path("project/package.json"), '{ "type": "module" }');
    const args = ["install", "--offline", "--no-audit", "--no-fund", place.path(packed.filename)];
    const options = { cwd: place.path("project"), env: env(place.path("home")) };
    const { stdout, stderr } = await run("npm", args, options);
    expect(stdout).toMatch(/added 1 package/);
    const warnings = stderr.split("\n").filter((line) => /warn|error/i.test(line) && !/config/.test(line));
    expect(warnings).toEqual([]);
  });

  it("works as a command and as a library on this Node", async () => {
    expect(await used(process.execPath)).toEqual(WORKING);
  });

  it("replays the evals of the skill that comes along, without a model", async () => {
    const skill = place.path("project/node_modules/assay/skills/assay");
    const command = place.path("project/node_modules/.bin/assay");
    const words = ["run", skill, "--harness", "builtin", "--model", "claude-sonnet-5", "--replay"];
    const places = ["--cassettes", join(skill, "evals/cassettes"), "--workspace", place.path("results")];
    const options = { cwd: place.path("project"), env: env(place.path("home")) };
    const { stdout } = await run(process.execPath, [command, ...words, ...places], options);
    expect(stdout).toContain("assay (claude-sonnet-5): passed");
  });

  it("works on the newest Node that the registry offers", async (context) => {
    const newest = await newestNode();
    if (typeof newest !== "string") return context.skip(`the newest Node cannot be had: ${newest.why}`);
    const { stdout } = await run(newest, ["-p", "process.versions.node.split('.')[0]"]);
    expect(Number(stdout)).toBeGreaterThanOrEqual(22);
    expect(await used(newest)).toEqual(WORKING);
  });
});

const WORKING = {
  version: true,
  checked: "ok: 1 skill, 1 eval file, 1 case; 0 errors, 0 notes",
  library: "greeter: 1 case",
};

/** The command and the library, as a program of somebody else uses them. */
async function used(node: string) {
  const project = place.path("project");
  await mkdir(join(project, "skills/greeter/evals"), { recursive: true });
  const evals = {
    skill_name: "greeter",
    evals: [{ id: 1, prompt: "Greet Ada", expectations: ["It greets Ada"] }],
  };
  await writeFile(join(project, "skills/greeter/evals/evals.json"), JSON.stringify(evals));
  await writeFile(
    join(project, "skills/greeter/SKILL.md"),
    "---\nname: greeter\ndescription: Greets people by name. Use it when somebody is to be greeted.\n---\n\nSay hello.\n",
  );
  await writeFile(
    join(project, "program.mjs"),
    `import { thisMachine } from "assay";
import { check } from "assay/check";
for await (const { suites } of check({ targets: ["skills"] }, { machine: thisMachine() }))
  for (const { name, cases } of suites) console.log(\`\${name}: \${cases.length} case\`);
`,
  );
  const call = async (...args: readonly string[]) => {
    const { stdout } = await run(node, [...args], { cwd: project, env: env(place.path("home")) });
    return stdout.trim();
  };
  const command = join(project, "node_modules", ".bin", "assay");
  return {
    version: /^\d+\.\d+\.\d+$/.test(await call(command, "--version")),
    checked: await call(command, "check", "skills"),
    library: await call("program.mjs"),
  };
}

/** Node as npm has it, which needs no script of its own to be installed. */
async function newestNode(): Promise<string | { readonly why: string }> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = place.path("newest");
  await mkdir(folder, { recursive: true });
  const args = [
    "install",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--prefix",
    folder,
    `${name}@latest`,
  ];
  try {
    await run("npm", args, { cwd: folder, timeout: 200_000 });
    const bin = join(folder, "node_modules", name, "bin");
    return (await readdir(bin)).includes("node") ? join(bin, "node") : { why: `${name} holds no node` };
  } catch (error) {
    return { why: String((error as { stderr?: string }).stderr ?? error).slice(0, 300) };
  }
}

/** `docs/design/*.md`; chunks are named after their content, types lie as their sources do, and examples as their skills want. */
function kindOf(path: string): string {
  const [, own] = /^(dist\/types|examples|skills)\//.exec(path) ?? [];
  const folder = own ?? dirname(path);
  if (folder === "." || folder === "bin") return path;
  return `${folder}/*${extname(path)}`;
}
