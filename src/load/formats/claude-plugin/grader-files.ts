import { basename, join } from "node:path";
import type { Diagnostic } from "../../../domain/diagnostic.ts";
import { INVALID } from "../../../lib/shape/shape.ts";
import { listDirectory } from "../../directory.ts";
import { readDocument } from "../../document.ts";
import { splitFrontmatter } from "../../frontmatter.ts";
import { readContext } from "../../read-context.ts";
import { GRADER } from "./grader-shape.ts";
import type { NamedPluginGrader } from "./graders.ts";
import type { Halves } from "./load.ts";

/** The graders of `case.yaml`, then those of `graders/`, under names that are each said once. */
export async function readGraders(
  folder: string,
  { file }: Pick<Halves, "file">,
  report: (diagnostic: Diagnostic) => void,
): Promise<readonly NamedPluginGrader[]> {
  const listed = (file?.said.graders ?? []).map((grader, index): NamedPluginGrader => ({
    name: grader.name ?? `grader-${index + 1}`,
    grader,
    body: "",
    at: file?.document.at ?? (() => ({ file: folder, line: 1, column: 1 })),
    start: placeOf(file, index),
  }));
  const { files } = await listDirectory(join(folder, "graders"), report);
  const own: NamedPluginGrader[] = [];
  for (const name of files.filter((one) => /\.md$/i.test(one))) {
    const document = await readDocument(join(folder, "graders", name), report);
    if (document === null) continue;
    const grader = GRADER.read(document.root, readContext("claude-plugin", document, { report }));
    if (grader === INVALID) continue;
    const body = document.text.slice(splitFrontmatter(document.text).bodyStart);
    const { start } = document.root;
    own.push({ name: basename(name).replace(/\.md$/i, ""), grader, body, at: document.at, start });
  }
  return distinct([...listed, ...own]);
}

function placeOf(file: Halves["file"], index: number): number {
  const root = file?.document.root;
  const list = root?.kind === "object" ? root.entries.find(({ key }) => key === "graders")?.value : undefined;
  return list?.kind === "array" ? (list.elements[index]?.start ?? list.start) : 0;
}

function distinct(graders: readonly NamedPluginGrader[]): readonly NamedPluginGrader[] {
  const taken = new Set<string>();
  return graders.map((one) => {
    let name = one.name;
    for (let attempt = 2; taken.has(name); attempt++) name = `${one.name}-${attempt}`;
    taken.add(name);
    return { ...one, name };
  });
}
