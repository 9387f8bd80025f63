import { basename } from "node:path";
import type { Fixture } from "../../../domain/suite.ts";
import { normalizeRelative } from "../../../lib/relative-path.ts";
import { findBeside, readBeside } from "../../beside.ts";
import type { TellUnmapped } from "../../unmapped.ts";
import type { GraderReading } from "./graders.ts";
import type { Halves } from "./load.ts";

interface Staged {
  readonly setup: string | null;
  readonly files: readonly Fixture[];
}

/** What `context` puts into the workspace: what a script makes, and folders to read. */
export async function stagedContext(
  folder: string,
  { file }: Pick<Halves, "file">,
  { unmapped, refuse }: { unmapped: TellUnmapped; refuse: GraderReading["refuse"] },
): Promise<Staged> {
  if (file === null || file.said.context === null) return { setup: null, files: [] };
  const { scaffold_script: script, add_dirs: folders } = file.said.context;
  const { at } = file.document;
  const files: Fixture[] = [];
  for (const declared of folders?.value ?? []) {
    const found = await findBeside(folder, declared);
    const target = normalizeRelative(declared);
    if (found.ok) files.push({ kind: "path", declared, source: found.path, target, problem: null });
    else {
      const message = `context.add_dirs ${found.problem}: ${JSON.stringify(declared)}`;
      refuse(at(folders?.offset ?? 0), "bad-path", message, "name a folder in the case's own folder");
    }
  }
  if (script === null) return { setup: null, files };
  // Some suites hold the script itself.
  if (script.value.includes("\n")) return { setup: script.value, files };
  const read = await readBeside(folder, script.value.trim());
  if (!read.ok) {
    const message = `context.scaffold_script ${read.problem}: ${JSON.stringify(script.value)}`;
    refuse(at(script.offset), "bad-path", message, "name a script in the case's own folder");
    return { setup: null, files };
  }
  if (/\$0|\$\{0|BASH_SOURCE/.test(read.text)) {
    unmapped.add({
      field: basename(read.path),
      why: "looks for files beside itself, which are not in the workspace",
      at: { file: read.path, line: 1, column: 1 },
      hint: "write the files in the script, or name their folder in context.add_dirs",
    });
  }
  return { setup: read.text, files };
}
