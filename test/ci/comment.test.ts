import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { CiResult } from "../../src/domain/ci.ts";
import { assay } from "../support/command-line.ts";
import { tempTree } from "../support/temp-tree.ts";
import { commentServer } from "./comment-server.ts";

const HEAD = "a".repeat(40);
const RESULT: CiResult = {
  schema: 1,
  title: "greeter: worse on 3 cases, -100 points; required: not worse",
  verdict: "failed",
  required: "not-worse",
  base: "b".repeat(40),
  head: HEAD,
  lanes: [{ lane: "live", status: "skipped", detail: "skipped: no model was asked" }],
  skills: [],
  notes: [],
  costUsd: 0,
};
const PULLS = [
  { number: 6, head: { sha: "c".repeat(40) } },
  { number: 7, head: { sha: HEAD } },
];

async function github(result: unknown, event: object = afterRun(HEAD), pulls: readonly object[] = PULLS) {
  const server = await commentServer(pulls);
  const tree = await tempTree({
    "event.json": JSON.stringify(event),
    "report/result.json": JSON.stringify(result),
  });
  const env = {
    GITHUB_EVENT_PATH: tree.path("event.json"),
    GITHUB_TOKEN: "token-of-the-job",
    GITHUB_REPOSITORY: "owner/skills",
    GITHUB_API_URL: server.url,
    GITHUB_SERVER_URL: "https://github.example",
  };
  return {
    server,
    tree,
    post: () => assay(["ci", "comment", "report"], { cwd: tree.root, env }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await tree[Symbol.asyncDispose]();
    },
  };
}

function afterRun(head_sha: string) {
  const head_repository = { full_name: "stranger/skills", owner: { login: "stranger" } };
  return { workflow_run: { id: 42, head_sha, head_branch: "change", head_repository } };
}

describe("the comment on a pull request", { timeout: 60_000 }, () => {
  it("is one, however often the change is pushed, on the pull request that the service names", async () => {
    await using project = await github(RESULT);
    expect(await project.post()).toMatchObject({ exitCode: 0, out: "written\n" });
    const better = {
      ...RESULT,
      title: "greeter: better on 3 cases, +100 points; required: not worse",
      verdict: "passed",
    };
    await writeFile(project.tree.path("report/result.json"), JSON.stringify(better));
    expect(await project.post()).toMatchObject({ exitCode: 0, out: "updated\n" });
    expect(project.server.comments).toHaveLength(1);
    const body = project.server.comments[0]?.body ?? "";
    expect(body).toContain("## ✓ greeter: better on 3 cases, +100 points; required: not worse");
    expect(body).toContain("– **live**: skipped: no model was asked");
    expect(body).toContain("(<https://github.example/owner/skills/actions/runs/42#artifacts>)");
    expect(project.server.calls.map(({ path }) => path)).toContain("/repos/owner/skills/issues/7/comments");
    expect(project.server.calls.every(({ token }) => token === "Bearer token-of-the-job")).toBe(true);
  });

  it("leaves alone what somebody else wrote under our mark", async () => {
    await using project = await github(RESULT);
    project.server.comments.push({ id: 1, body: "<!-- assay:ci --> mine", foreign: true });
    expect((await project.post()).out).toBe("written\n");
    expect(project.server.comments.map(({ body }) => body.slice(0, 24))).toEqual([
      "<!-- assay:ci --> mine",
      "<!-- assay:ci -->\n## ✗ g",
    ]);
  });

  it("takes nothing in the artifact for more than words", async () => {
    const hostile = "</details> @everyone [x](http://evil) <img src=x> `y` ## z\n::error::pwned\n| a |";
    const skill = {
      suite: hostile,
      finding: hostile,
      decision: hostile,
      flips: [{ check: hostile, evidence: hostile }],
    };
    await using project = await github({
      ...RESULT,
      title: hostile,
      number: 6,
      notes: [hostile],
      skills: Array.from({ length: 5000 }, () => ({ ...skill, answer: "x".repeat(100_000) })).slice(0, 20),
    });
    expect((await project.post()).exitCode).toBe(0);
    const body = project.server.comments[0]?.body ?? "";
    expect(body.length).toBeLessThan(65_536);
    expect(body).not.toMatch(/@everyone|<img|\]\(http|^::error/m);
    expect(project.server.calls.some(({ path }) => path.includes("/issues/6/"))).toBe(false);
  });

  it.each<[string, unknown]>([
    ["there is none", "no JSON object"],
    ["they are of another commit", { ...RESULT, head: "d".repeat(40), verdict: "passed" }],
    ["they are of another form", { schema: 2, verdict: "passed" }],
  ])("says that results are missing where %s, and that is no pass", async (_, result) => {
    await using project = await github(result);
    expect((await project.post()).exitCode).toBe(3);
    expect(project.server.comments[0]?.body).toContain("## ! no results");
  });

  it("is not written where the change has moved on", async () => {
    await using project = await github(RESULT, afterRun(HEAD), [
      { number: 7, head: { sha: "e".repeat(40) } },
    ]);
    expect((await project.post()).out).toBe("nobody to tell: the change is closed or has moved on\n");
    expect(project.server.comments).toEqual([]);
  });
});

it("a merge request of GitLab gets a note", async () => {
  await using server = await commentServer();
  await using tree = await tempTree({ "report/result.json": JSON.stringify(RESULT) });
  const env = {
    GITLAB_TOKEN: "token-of-the-job",
    CI_API_V4_URL: server.url,
    CI_PROJECT_ID: "12",
    CI_MERGE_REQUEST_IID: "3",
    CI_COMMIT_SHA: HEAD,
  };
  for (const done of ["written", "updated"])
    expect(await assay(["ci", "comment", "report"], { cwd: tree.root, env })).toMatchObject({
      out: `${done}\n`,
    });
  expect(server.comments).toHaveLength(1);
  expect(server.calls[0]).toEqual({
    method: "GET",
    path: "/projects/12/merge_requests/3/notes",
    token: "token-of-the-job",
  });
});

it("says what is missing where no service speaks", async () => {
  await using tree = await tempTree();
  const { exitCode, err } = await assay(["ci", "comment"], { cwd: tree.root });
  expect(exitCode).toBe(2);
  expect(err).toContain("neither GitHub nor GitLab says which change this is about");
});
