import { UserError } from "../../domain/user-error.ts";
import { listAt, numberOrNull, objectAt, textAt } from "../../lib/loose.ts";
import { thrownWords } from "../../lib/thrown-words.ts";
import type { Calling } from "./comment.ts";

/** The comments on one change. */
export interface CommentService {
  readonly list: () => Promise<readonly { readonly id: number; readonly body: string }[]>;
  /** False: it is not ours to change. */
  readonly update: (id: number, text: string) => Promise<boolean>;
  readonly create: (text: string) => Promise<void>;
}

interface GithubApi {
  readonly url: string;
  readonly token: string;
  readonly repository: string;
}

export function githubComments(api: GithubApi, calling: Calling) {
  const ask = asking(`${api.url}/repos/${api.repository}`, calling, {
    authorization: `Bearer ${api.token}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
  });
  return {
    /** The open pull request whose head is this very commit; null: it has moved on, or is closed. */
    async pullOf({
      owner,
      branch,
      head,
    }: {
      owner: string;
      branch: string;
      head: string;
    }): Promise<number | null> {
      const query = new URLSearchParams({ state: "open", head: `${owner}:${branch}`, per_page: "100" });
      const pulls = listAt(await ask("GET", `/pulls?${query.toString()}`));
      const found = pulls.find((pull) => head !== "" && textAt(objectAt(pull, "head"), "sha") === head);
      return found === undefined ? null : numberOrNull(found, "number");
    },
    of: (number: number): CommentService => ({
      list: () =>
        pages(calling, (page) => ask("GET", `/issues/${number}/comments?per_page=100&page=${page}`)),
      update: (id, body) => isAllowed(ask("PATCH", `/issues/comments/${id}`, { body })),
      create: async (body) => void (await ask("POST", `/issues/${number}/comments`, { body })),
    }),
  };
}

interface GitlabApi {
  readonly url: string;
  readonly token: string;
  readonly project: string;
  readonly request: string;
}

export function gitlabNotes({ url, token, project, request }: GitlabApi, calling: Calling): CommentService {
  const path = `/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(request)}/notes`;
  const ask = asking(`${url}${path}`, calling, { "private-token": token });
  return {
    list: () => pages(calling, (page) => ask("GET", `?per_page=100&page=${page}`)),
    update: (id, body) => isAllowed(ask("PUT", `/${id}`, { body })),
    create: async (body) => void (await ask("POST", "", { body })),
  };
}

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

class Refused extends Error {}

/** A redirect would take the token elsewhere, so none is followed. */
function asking(url: string, { timeoutMs, signal }: Calling, headers: Readonly<Record<string, string>>): Ask {
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, "content-type": "application/json", "user-agent": "assay" },
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw failed(`no answer: ${thrownWords(cause)}`, cause);
    });
    if (response.ok) return response.json().catch(() => null);
    await response.body?.cancel();
    if (response.status === 403 || response.status === 404) throw new Refused(`${response.status}`);
    throw failed(`${method} was answered with ${response.status}`, null);
  };
}

function failed(why: string, cause: unknown): UserError {
  return new UserError("ci/not-posted", `the comment could not be written: ${why}`, {
    hint: "GitHub: the job needs permissions pull-requests: write; GitLab: GITLAB_TOKEN needs the scope api",
    cause,
  });
}

async function isAllowed(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

async function pages(
  { maxPages }: Calling,
  read: (page: number) => Promise<unknown>,
): Promise<readonly { readonly id: number; readonly body: string }[]> {
  const found: { id: number; body: string }[] = [];
  for (let page = 1; page <= maxPages; page++) {
    const entries = listAt(await read(page).catch(refusedText));
    for (const entry of entries) {
      const id = numberOrNull(entry, "id");
      if (id !== null) found.push({ id, body: textAt(entry, "body") });
    }
    if (entries.length < 100) break;
  }
  return found;
}

function refusedText(error: unknown): never {
  throw error instanceof Refused ? failed(`the service answered with ${error.message}`, error) : error;
}
