import { constants, open } from "node:fs/promises";
import { readlinkSync } from "node:fs";
import path from "node:path";

import type { OutputSource } from "../../domain/suite.ts";
import { globToRegExp } from "../../lib/glob.ts";
import { normalizeRelative, pathProblem, pathProblemText } from "../../lib/relative-path.ts";
import type { Touched } from "./changes.ts";
import { originalAt } from "./originals.ts";
import type { Staged } from "./stage.ts";
import { throughLinks } from "./through-links.ts";

/** The text that text checks read, or why there is none: never another text in its place. */
export type OutputText =
  | { readonly kind: "text"; readonly text: string; readonly files: readonly string[] }
  | { readonly kind: "missing"; readonly reason: string }
  /** There is one, and nobody can say what it holds. */
  | { readonly kind: "unknown"; readonly reason: string };

export interface RanWorkspace {
  readonly staged: Staged;
  readonly touched: readonly Touched[];
  /** The workspace's path as the agent saw it, for links that name it. */
  readonly seenAs: string;
}

/**
 * The main agent's messages, or the declared file, or all files that match the declared patterns, in path order and
 * joined by newlines. Only what the run wrote counts: a file that lay there before says nothing about the skill.
 */
export async function readOutput(
  source: OutputSource,
  messages: string,
  workspace: RanWorkspace,
): Promise<OutputText> {
  if (source.kind === "messages") return { kind: "text", text: messages, files: [] };
  const outside = source.file ?? source.patterns.find((pattern) => pathProblem(pattern) !== null);
  const problem = outside === undefined ? null : pathProblem(outside);
  if (problem !== null) return missing(`the output path ${outside} ${pathProblemText(problem)}`);
  const view = viewOf(workspace);
  const names = source.file === null ? matching(source.patterns, view) : [source.file];
  if (names.length === 0) return missing(noMatch(source.patterns, workspace));
  const texts: string[] = [];
  for (const name of names) {
    const read = await readOne(name, view, workspace);
    if (read.kind !== "text") return read;
    texts.push(read.text);
  }
  return { kind: "text", text: texts.join("\n"), files: names };
}

interface View {
  readonly touched: ReadonlyMap<string, Touched>;
  readonly linkAt: (relative: string) => string | undefined;
}

function viewOf(workspace: RanWorkspace): View {
  const touched = new Map(workspace.touched.map((one) => [one.path, one]));
  const linkAt = (relative: string): string | undefined => {
    const now = touched.get(relative);
    const host =
      now === undefined
        ? originalLink(workspace.staged, relative)
        : now.kind === "link" && now.change !== "deleted"
          ? now.host
          : undefined;
    return host === undefined ? undefined : inner(readlinkSync(host), relative, workspace.seenAs);
  };
  return { touched, linkAt };
}

function originalLink(staged: Staged, relative: string): string | undefined {
  const original = originalAt(staged, relative);
  return original?.kind === "link" ? original.host : undefined;
}

/** A target that names the workspace absolutely, as one relative to the link. */
function inner(target: string, link: string, seenAs: string): string {
  if (target !== seenAs && !target.startsWith(`${seenAs}/`)) return target;
  return path.posix.relative(path.posix.dirname(link), target.slice(seenAs.length + 1) || ".") || ".";
}

function matching(patterns: readonly string[], view: View): readonly string[] {
  const tests = patterns.map((pattern) => globToRegExp(normalizeRelative(pattern)));
  return [...view.touched.values()]
    .filter((one) => one.change !== "deleted" && one.kind !== "special")
    .map((one) => one.path)
    .filter((relative) => tests.some((test) => test.test(relative)));
}

async function readOne(name: string, view: View, workspace: RanWorkspace): Promise<OutputText> {
  const relative = throughLinks(normalizeRelative(name), view.linkAt, true);
  if (view.linkAt(relative) !== undefined) {
    return missing(`the output file ${name} is a link that points outside the workspace or back to itself`);
  }
  const found = view.touched.get(relative);
  if (found === undefined) {
    return missing(
      originalAt(workspace.staged, relative)?.kind === "file"
        ? `the output file ${name} existed before, and the run did not change it`
        : `the run did not write the output file ${name}`,
    );
  }
  if (found.change === "deleted") return missing(`the run deleted the output file ${name}`);
  if (found.kind !== "file") return missing(`the output file ${name} is not a regular file`);
  if (found.bytes > MOST_BYTES) {
    const reason = `the output file ${name} has ${found.bytes} bytes; at most ${MOST_BYTES} are read`;
    return { kind: "unknown", reason };
  }
  try {
    await using file = await open(found.host, constants.O_RDONLY | constants.O_NOFOLLOW);
    return { kind: "text", text: (await file.readFile("utf8")).replace(/^\uFEFF/u, ""), files: [name] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return missing(`the output file ${name} cannot be read: ${code ?? "unknown"}`);
  }
}

/** More than any text check or judge could use. */
const MOST_BYTES = 64 * 1024 * 1024;

function noMatch(patterns: readonly string[], workspace: RanWorkspace): string {
  const written = workspace.touched.filter((one) => one.change !== "deleted").length;
  return `no file the run wrote matches ${patterns.join(", ")}; it wrote ${written}`;
}

function missing(reason: string): OutputText {
  return { kind: "missing", reason };
}
