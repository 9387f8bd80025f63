import { stat } from "node:fs/promises";
import path from "node:path";

import type { Fixture } from "../../domain/suite.ts";
import { normalizeRelative, pathProblem, pathProblemText } from "../../lib/relative-path.ts";

/**
 * The one line that tells the agent which files were staged for it; null when there are none. It is the same in every
 * variant, so that no arm has to search for what another was told.
 */
export function filesLine(fixtures: readonly Fixture[]): string | null {
  if (fixtures.length === 0) return null;
  const names = fixtures.map(({ target }) => (/[\s,"]/u.test(target) ? JSON.stringify(target) : target));
  return `Input files, relative to the working directory: ${names.join(", ")}`;
}

/** A fixture that can be staged; `source` null means its content stands in the eval file. */
export interface ReadyFixture {
  readonly target: string;
  readonly source: { readonly path: string; readonly isDirectory: boolean } | null;
  readonly content: string;
}

/** Looks at the fixture once more, since files come and go after loading; a text says why it cannot be staged. */
export async function readyFixture(fixture: Fixture): Promise<ReadyFixture | string> {
  const named = fixture.kind === "path" ? fixture.declared : fixture.target;
  const problem = pathProblem(fixture.target);
  if (problem !== null) return `the file ${named} cannot be staged: its path ${pathProblemText(problem)}`;
  const target = normalizeRelative(fixture.target);
  if (target === "" || target.split("/")[0] === ".git") {
    return `the file ${named} cannot be staged: its path is reserved`;
  }
  if (fixture.kind === "inline") return { target, source: null, content: fixture.content };
  if (fixture.problem !== null || fixture.source === null) {
    return `the file ${named} cannot be staged: ${fixture.problem ?? "it has no source"}`;
  }
  try {
    const stats = await stat(fixture.source);
    if (!stats.isFile() && !stats.isDirectory())
      return `the file ${named} cannot be staged: it is a special file`;
    return {
      target,
      source: { path: path.resolve(fixture.source), isDirectory: stats.isDirectory() },
      content: "",
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `the file ${named} cannot be staged: ${code === "ENOENT" ? "it does not exist" : (code ?? "unknown")}`;
  }
}
