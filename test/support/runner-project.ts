import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import type { Summary } from "../../src/domain/summary.ts";
import { type Ended, environment, runNode } from "./run-node.ts";

/** Somebody's project that has installed the package and Vitest, with a home of its own. */
export interface RunnerProject extends AsyncDisposable {
  readonly path: (...names: string[]) => string;
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
  readonly node: (args: readonly string[], env?: Env, cwd?: string) => Promise<Ended>;
  /** Runs Vitest and answers what became of each test. */
  readonly vitest: (env?: Env, cwd?: string) => Promise<VitestOutcome>;
  /** By suite and iteration: `greeter.a.test/iteration-1`. */
  readonly summaries: (results?: string) => Promise<Readonly<Record<string, Summary>>>;
}

type Env = Readonly<Record<string, string>>;

export interface VitestOutcome extends Ended {
  readonly tests: Readonly<Record<string, TestOutcome>>;
}

interface TestOutcome {
  readonly status: "passed" | "failed" | "skipped";
  /** Why it failed, all errors of all attempts. */
  readonly text: string;
}

export async function runnerProject(files: Readonly<Record<string, string>> = {}): Promise<RunnerProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "runner-")));
  const path = (...names: string[]) => join(root, ...names);
  const built = inject("builtPackage");
  // In its place, not linked to it: Vitest transforms what lies elsewhere, which takes seconds.
  for (const name of ["dist", "bin", "package.json"])
    await cp(join(built, name), path("node_modules", "assay", name), { recursive: true });
  await symlink(join(built, "node_modules", "vitest"), path("node_modules", "vitest"));
  await mkdir(path("home"));
  const write: RunnerProject["write"] = async (given) => {
    for (const [name, text] of Object.entries(given)) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), text);
    }
  };
  await write({ "package.json": '{"type": "module"}', ...files });
  const node: RunnerProject["node"] = (args, env = {}, cwd = root) =>
    runNode(args, { cwd, env: environment(root, env) });
  return {
    path,
    write,
    node,
    vitest: async (env, cwd = root) => {
      const report = join(cwd, "report.json");
      const program = path("node_modules", "vitest", "vitest.mjs");
      const ended = await node(
        [
          program,
          "run",
          "--no-color",
          "--reporter=default",
          "--reporter=json",
          `--outputFile.json=${report}`,
        ],
        env,
        cwd,
      );
      return { ...ended, tests: testsIn(JSON.parse(await readFile(report, "utf8"))) };
    },
    summaries: async (results = path(".assay")) => {
      const names = await readdir(results, { recursive: true });
      const found = names.filter((name) => name.endsWith("summary.json"));
      const read = async (name: string) => [
        dirname(name),
        JSON.parse(await readFile(join(results, name), "utf8")) as Summary,
      ];
      return Object.fromEntries(await Promise.all(found.map(read)));
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

interface JsonReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

function testsIn({ testResults }: JsonReport): VitestOutcome["tests"] {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  return Object.fromEntries(
    all.map(({ fullName, status, failureMessages }) => [
      fullName,
      {
        status: status === "pending" ? "skipped" : (status as TestOutcome["status"]),
        text: (failureMessages ?? []).join("\n"),
      },
    ]),
  );
}
