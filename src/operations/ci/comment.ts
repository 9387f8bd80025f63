import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CiResult } from "../../domain/ci.ts";
import { UserError } from "../../domain/user-error.ts";
import { objectAt, numberOrNull, textAt } from "../../lib/loose.ts";
import type { Machine } from "../../machine.ts";
import type { CI_COMMENT } from "../../options/ci.ts";
import type { Settled } from "../../options/table.ts";
import type { OpenDoor } from "../door.ts";
import { COMMENT_MARK, commentText } from "./comment-text.ts";
import { type CommentService, githubComments, gitlabNotes } from "./comment-service.ts";
import { DEFAULT_OUT } from "./lane.ts";
import { readResult } from "./read-result.ts";
import { RESULT_FILE } from "./report.ts";

/** What became of the comment. */
export interface Commented {
  readonly done: "written" | "updated" | "nobody to tell";
  /** Null: there was none that could be used, and the comment says so. */
  readonly result: CiResult | null;
  readonly text: string;
}

export async function postComment(
  { folder, link, timeoutSeconds, maxPages }: Settled<typeof CI_COMMENT>,
  { machine, signal }: OpenDoor,
): Promise<Commented> {
  const calling = { timeoutMs: timeoutSeconds * 1000, maxPages, signal };
  const place = await placeOf(machine);
  const service = await place.open(calling);
  const found = await readResult(resolve(machine.cwd, folder ?? DEFAULT_OUT, RESULT_FILE));
  // A result of another commit says nothing about this one.
  const isOther = found !== null && place.head !== null && found.head !== null && found.head !== place.head;
  const result = isOther ? null : found;
  const text = commentText(result ?? missing(place.head), { link: link ?? place.link });
  if (service === null) return { done: "nobody to tell", result, text };
  return { done: await keepOne(service, text), result, text };
}

/** One comment, however often the change is pushed. One with our mark that we may not change is somebody else's. */
async function keepOne(service: CommentService, text: string): Promise<"written" | "updated"> {
  for (const { id, body } of await service.list())
    if (body.startsWith(COMMENT_MARK) && (await service.update(id, text))) return "updated";
  await service.create(text);
  return "written";
}

function missing(head: string | null): CiResult {
  return {
    schema: 1,
    title: "no results: the lanes left none that can be used, which is no pass",
    verdict: "unfinished",
    required: "not-worse",
    base: null,
    head,
    lanes: [],
    skills: [],
    notes: [],
    costUsd: null,
  };
}

/** Where comments go. All of it is the CI service's word, nothing the artifact's. */
interface CommentPlace {
  /** The commit that results must be of; null: not known. */
  readonly head: string | null;
  readonly link: string | null;
  /** Null: nobody to tell, because the change is closed or has moved on. */
  readonly open: (calling: Calling) => Promise<CommentService | null>;
}

export interface Calling {
  readonly timeoutMs: number;
  readonly maxPages: number;
  readonly signal: AbortSignal;
}

async function placeOf({ env, cwd }: Machine): Promise<CommentPlace> {
  if ((env["GITHUB_EVENT_PATH"] ?? "") !== "") return githubPlace(env, cwd);
  if ((env["CI_MERGE_REQUEST_IID"] ?? "") !== "") return gitlabPlace(env);
  throw new UserError("ci/no-service", "neither GitHub nor GitLab says which change this is about", {
    hint: "in a job of theirs the variables are there; elsewhere, post comment.md yourself",
  });
}

async function githubPlace(env: Machine["env"], cwd: string): Promise<CommentPlace> {
  const { GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL } = needed(env, [
    "GITHUB_TOKEN",
    "GITHUB_REPOSITORY",
    "GITHUB_API_URL",
  ]);
  const event = objectAt(JSON.parse(await readFile(resolve(cwd, env["GITHUB_EVENT_PATH"] ?? ""), "utf8")));
  const run = objectAt(event, "workflow_run");
  const pull = objectAt(event, "pull_request");
  const isAfter = Object.keys(run).length > 0;
  const runId = isAfter ? numberOrNull(run, "id") : Number(env["GITHUB_RUN_ID"] ?? Number.NaN);
  const server = env["GITHUB_SERVER_URL"] ?? "https://github.com";
  const link =
    runId === null || Number.isNaN(runId)
      ? null
      : `${server}/${GITHUB_REPOSITORY}/actions/runs/${runId}#artifacts`;
  const head = isAfter ? textAt(run, "head_sha") : textAt(objectAt(pull, "head"), "sha");
  const api = { url: GITHUB_API_URL, token: GITHUB_TOKEN, repository: GITHUB_REPOSITORY };
  return {
    head: head === "" ? null : head,
    link,
    async open(calling) {
      const github = githubComments(api, calling);
      const owner = textAt(objectAt(objectAt(run, "head_repository"), "owner"), "login");
      const number = isAfter
        ? await github.pullOf({ owner, branch: textAt(run, "head_branch"), head })
        : numberOrNull(pull, "number");
      return number === null ? null : github.of(number);
    },
  };
}

function gitlabPlace(env: Machine["env"]): CommentPlace {
  const { GITLAB_TOKEN, CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID } = needed(env, [
    "GITLAB_TOKEN",
    "CI_API_V4_URL",
    "CI_PROJECT_ID",
    "CI_MERGE_REQUEST_IID",
  ]);
  const api = {
    url: CI_API_V4_URL,
    token: GITLAB_TOKEN,
    project: CI_PROJECT_ID,
    request: CI_MERGE_REQUEST_IID,
  };
  return {
    head: env["CI_COMMIT_SHA"] ?? null,
    link: env["CI_PIPELINE_URL"] ?? null,
    open: async (calling) => gitlabNotes(api, calling),
  };
}

function needed<const N extends string>(
  env: Machine["env"],
  names: readonly N[],
): Readonly<Record<N, string>> {
  const missing = names.filter((name) => (env[name] ?? "").trim() === "");
  if (missing.length === 0)
    return Object.fromEntries(names.map((name) => [name, env[name]])) as Readonly<Record<N, string>>;
  throw new UserError("ci/no-service", `${missing.join(", ")} must be set to write a comment`, {
    hint: "docs/ci.md shows the job that posts",
  });
}
