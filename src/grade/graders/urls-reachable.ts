import { readFile } from "node:fs/promises";
import { mapConcurrently } from "../../lib/concurrent.ts";
import type { Reached } from "../../lib/net/reach-url.ts";
import { valueFormat } from "../../lib/value-formats.ts";
import { type CheckOf, codeGrader } from "../code-grader.ts";
import { type Decision, failed, measure, passed, unscored } from "../decision.ts";
import type { Grader } from "../grader.ts";
import type { OutputText } from "../subject.ts";

export interface UrlParts {
  /** Off in a replay and offline: the answer of a stranger's server is not in any recording. */
  readonly network: "allowed" | "off";
  readonly reach: (url: string, signal: AbortSignal) => Promise<Reached>;
}

/** At least so many of the output's URLs answer with 2xx. */
export function urlsReachableGrader({ network, reach }: UrlParts): Grader<CheckOf<"urls_reachable">> {
  return codeGrader({
    name: "urls",
    needs: "network",
    reads: "urls",
    async open({ output }, checks, signal): Promise<(count: number) => Decision> {
      if (output.status === "unknown") return () => unscored(output.reason);
      if (output.status === "missing") return () => failed(output.reason, [measure(output.reason)]);
      const urls = await urlsOf(output);
      if (urls === null) return () => unscored(`the output has ${output.bytes} bytes, too many to read`);
      const wanted = Math.max(...checks.map((check) => check.count));
      const ask = network === "allowed" && wanted > 0 && urls.length > 0;
      const tried = ask
        ? await mapConcurrently(urls.slice(0, MOST_URLS), AT_ONCE, async (url) => ({
            url,
            reached: await reach(url, signal),
          }))
        : [];
      return (count) => decide(count, { urls, tried, network });
    },
    decisions: { urls_reachable: ({ count }, decideCount) => decideCount(count) },
  });
}

const MOST_URLS = 20;
const AT_ONCE = 10;
const MOST_BYTES = 64 * 1024 * 1024;

interface Tried {
  readonly url: string;
  readonly reached: Reached;
}

/** Unique, in order, without the punctuation of the sentence around them; null when the output is too large. */
async function urlsOf({
  path,
  bytes,
}: OutputText & { status: "present" }): Promise<readonly string[] | null> {
  if (bytes > MOST_BYTES) return null;
  const found = valueFormat("url")?.scan(await readFile(path, "utf8")) ?? [];
  return [...new Set(found.map((url) => url.replace(/[.,;:!?*`\]}]+$/u, "")))];
}

function decide(
  count: number,
  {
    urls,
    tried,
    network,
  }: { urls: readonly string[]; tried: readonly Tried[]; network: UrlParts["network"] },
): Decision {
  const listed = `${urls.length} different URLs in the output, at least ${count} wanted`;
  if (count <= 0) return passed(listed, [measure(listed)]);
  if (urls.length < count) return failed(listed, [measure(listed)]);
  if (network === "off") return unscored("the network is off, so no URL was tried");
  const good = tried.filter(({ reached }) => isGood(reached)).length;
  const rest = urls.length - tried.length;
  const text = `${good} of ${tried.length} URLs answer with 2xx, at least ${count} wanted${rest > 0 ? `; ${rest} more were not tried` : ""}`;
  const evidence = [measure(text), ...tried.map(({ url, reached }) => measure(`${url}: ${spell(reached)}`))];
  if (good >= count) return passed(text, evidence);
  const unknown = tried.filter(({ reached }) => reached.kind === "failed" && reached.local).length;
  if (good + unknown >= count) return unscored(`${text}; ${unknown} could not be tried from here`);
  if (good + unknown + rest >= count) return unscored(`${text}: at most ${MOST_URLS} are tried`);
  return failed(text, evidence);
}

function isGood(reached: Reached): boolean {
  return reached.kind === "answered" && reached.status >= 200 && reached.status < 300;
}

function spell(reached: Reached): string {
  return reached.kind === "answered" ? String(reached.status) : reached.reason;
}
