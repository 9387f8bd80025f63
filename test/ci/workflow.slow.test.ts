import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { builtCommand } from "../support/built-command.ts";
import { assay } from "../support/command-line.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import { type Change, change, evalsAsking, KEY, skillText } from "./change.ts";
import { commentServer } from "./comment-server.ts";
import { type JobOutcome, overall, runWorkflow, type Service } from "./workflow-runner.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples/ci/", import.meta.url));
const WORKFLOW = join(EXAMPLES, "github/assay.yml");
const COMMENTING = join(EXAMPLES, "github/assay-comment.yml");
const PAGE = fileURLToPath(new URL("../../docs/ci.md", import.meta.url));

/** Trials run in the sandbox that runners of GitHub have. */
const hasSandbox = (() => {
  try {
    execFileSync("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

let command: Awaited<ReturnType<typeof builtCommand>>;
beforeAll(async () => void (command = await builtCommand()), 180_000);
afterAll(() => command[Symbol.asyncDispose]());

/** A runner, with npm that only notes where it is called and from what. */
async function runner(): Promise<TempTree & { readonly npmCalls: () => Promise<string> }> {
  const tree = await tempTree({ "bin/": "", "home/": "", "artifacts/": "" });
  const npm = `#!/bin/bash
echo "$PWD $(ls -a "$PWD" | tr '\\n' ' ') $*" >> ${tree.path("npm.log")}
while [ $# -gt 0 ]; do [ "$1" = --prefix ] && prefix=$2; shift; done
mkdir -p "$prefix/node_modules/.bin"
printf '#!/bin/sh\\nexec ${process.execPath} ${command.path} "$@"\\n' > "$prefix/node_modules/.bin/assay"
chmod +x "$prefix/node_modules/.bin/assay"
`;
  await writeFile(tree.path("bin/npm"), npm);
  await chmod(tree.path("bin/npm"), 0o755);
  return { ...tree, npmCalls: () => readFile(tree.path("npm.log"), "utf8") };
}

async function serviceFor(
  project: Change,
  machines: TempTree,
  { fork, labels = [], api = "" }: { fork: boolean; labels?: readonly string[]; api?: string },
): Promise<Service & { readonly head: string }> {
  const [base = "", head = ""] = (await project.git("rev-parse", "main", "change")).trim().split("\n");
  const pull_request = {
    number: 7,
    base: { sha: base },
    head: { sha: head, repo: { full_name: fork ? "stranger/skills" : "owner/skills" } },
    labels: labels.map((name) => ({ name })),
  };
  const workflow_run = {
    id: 42,
    event: "pull_request",
    head_sha: head,
    head_branch: "change",
    head_repository: { owner: { login: "stranger" } },
  };
  const event = { pull_request, workflow_run };
  await writeFile(machines.path("event.json"), JSON.stringify({ workflow_run }));
  let count = 0;
  return {
    head,
    context: {
      github: {
        event_name: "pull_request",
        event,
        repository: "owner/skills",
        ref: "refs/pull/7",
        token: "job-token",
      },
      secrets: { ANTHROPIC_API_KEY: KEY },
    },
    repository: project.root,
    artifacts: machines.path("artifacts"),
    async folder(name) {
      const path = machines.path(`${name}-${++count}`);
      await mkdir(path);
      return path;
    },
    env: {
      PATH: `${machines.path("bin")}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: machines.path("home"),
      ANTHROPIC_BASE_URL: project.sim.url,
      GITHUB_EVENT_PATH: machines.path("event.json"),
      GITHUB_REPOSITORY: "owner/skills",
      GITHUB_API_URL: api,
    },
  };
}

/** Records what the replay lane of this very change needs, as its author does. */
async function record(project: Change): Promise<void> {
  await using elsewhere = await tempTree();
  const args = [
    "ci",
    "live",
    "--base",
    "main",
    "--max-cost",
    "5",
    "--record",
    "--out",
    elsewhere.path("out"),
  ];
  const { exitCode, out: said } = await assay(args, { cwd: project.root, env: project.env });
  expect({ exitCode, said }).toMatchObject({ exitCode: 0 });
  await project.commit({});
}

function only(outcomes: ReadonlyMap<string, readonly JobOutcome[]>, name: string): JobOutcome {
  const [one] = outcomes.get(name) ?? [];
  if (one === undefined) throw new Error(`there is no job ${name}`);
  return one;
}

async function textsBelow(root: string): Promise<string> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("\n");
}

describe.skipIf(!hasSandbox)("the workflow of docs/ci.md", { timeout: 300_000 }, () => {
  it("measures a fork's change on the base's evals, runs nothing else of it, and comments", async () => {
    await using machines = await runner();
    const canary = machines.path("home/pwned");
    const hostile = `touch ${canary}`;
    await using project = await change({
      "skills/greeter/SKILL.md": skillText("Goodbye"),
      "skills/greeter/go.sh": `${hostile}; echo tried > tried.txt\n`,
      // What the change would rather be held to, and what it would like to run.
      "skills/greeter/evals/evals.json": evalsAsking(".*").replace(
        '"prompt"',
        `"setup": ${JSON.stringify(hostile)}, "prompt"`,
      ),
      "assay.config.json": JSON.stringify({
        sandbox: "none",
        trust: true,
        harness: "command",
        command: hostile,
      }),
      "assay.config.mjs": `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(canary)}, "");`,
      ".npmrc": "registry=http://127.0.0.1:9/\n",
      "package.json": JSON.stringify({ name: "assay", bin: "x.js", scripts: { preinstall: hostile } }),
      ".gitattributes": "* filter=evil\n",
      ".claude/settings.json": JSON.stringify({ hooks: { SessionStart: [{ command: hostile }] } }),
    });
    // The base passes: it says Hello.
    await project.git("checkout", "-q", "main");
    await project.commit({ "skills/greeter/SKILL.md": skillText("Hello") });
    await project.git("checkout", "-q", "change");
    await project.git("rebase", "-q", "-X", "theirs", "main");
    await record(project);
    await using server = await commentServer([
      { number: 7, head: { sha: (await project.git("rev-parse", "change")).trim() } },
    ]);
    const service = await serviceFor(project, machines, { fork: true, labels: ["evals"], api: server.url });
    const asked = project.sim.requests.length;

    const outcomes = await runWorkflow(WORKFLOW, service);
    const log = [...outcomes.values()]
      .flat()
      .map((job) => job.log)
      .join("\n");
    const report = only(outcomes, "report");
    expect(report.log).toContain("greeter: worse on 3 cases, -100 points; required: not worse");
    expect(report.result).toBe("failure");
    expect(only(outcomes, "live").result).toBe("skipped");
    expect(report.summary).toContain("## ✗ greeter: worse on 3 cases");
    expect(report.summary).toContain("its evals changed too; it was held to the base's");
    expect(report.log).toContain("::error");

    expect(await textsBelow(machines.path("artifacts"))).toContain("tried.txt");
    expect(existsSync(canary)).toBe(false);
    expect(project.sim.requests).toHaveLength(asked);
    expect(log).not.toContain(KEY);
    expect(await textsBelow(machines.path("artifacts"))).not.toContain(KEY);
    expect(await machines.npmCalls()).not.toContain(".npmrc");
    expect(existsSync(machines.path("artifacts/assay-report/report.html"))).toBe(true);

    const commented = await runWorkflow(COMMENTING, service);
    expect(overall(commented.get("comment") ?? [])).toBe("success");
    expect(server.comments).toHaveLength(1);
    const body = server.comments[0]?.body ?? "";
    expect(body).toContain("## ✗ greeter: worse on 3 cases, -100 points; required: not worse");
    expect(body).toContain("3 of 3 → 0 of 3 runs pass");
    expect(body).toContain("skipped: no model was asked");
    expect(body).toContain("/owner/skills/actions/runs/42#artifacts");
  });
});

describe("the files of docs/ci.md", () => {
  it.each(["github/assay.yml", "github/assay-comment.yml", "gitlab/.gitlab-ci.yml"])(
    "%s is shown there as it is",
    async (name) => {
      expect(await readFile(PAGE, "utf8")).toContain(
        `\`\`\`yaml\n${await readFile(join(EXAMPLES, name), "utf8")}\`\`\``,
      );
    },
  );

  it("give a secret to nobody but the live lane, and write access to nobody who reads the change", async () => {
    const workflow = parse(await readFile(WORKFLOW, "utf8")) as {
      jobs: Readonly<Record<string, unknown>>;
      permissions: object;
    };
    const { live, ...others } = workflow.jobs;
    expect(JSON.stringify(live)).toContain("secrets.");
    expect(JSON.stringify(others)).not.toContain("secrets.");
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(await readFile(COMMENTING, "utf8")).not.toContain("actions/checkout");
  });

  it("pin every action by its commit, and take none of a third party", async () => {
    for (const path of [WORKFLOW, COMMENTING, join(EXAMPLES, "../../action.yml")]) {
      const uses = [...(await readFile(path, "utf8")).matchAll(/uses: (\S+)/g)].map(([, one = ""]) => one);
      for (const one of uses) expect(one).toMatch(/^(?:actions\/[a-z-]+@[0-9a-f]{40}|OWNER\/assay@COMMIT)$/);
    }
  });

  it("put no text of the change into a script", async () => {
    const { runs } = parse(await readFile(join(EXAMPLES, "../../action.yml"), "utf8")) as {
      runs: { steps: readonly { run?: string }[] };
    };
    for (const { run = "" } of runs.steps) expect(run).not.toContain("${{");
  });
});
