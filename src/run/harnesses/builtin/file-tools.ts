import { runShell, type ShellRun } from "./shell.ts";
import { failed, schemaOf, texts, type Tool, type ToolBench, type Used } from "./tool.ts";

const PATH = { file_path: "The file, absolute or relative to the working directory." };

export const read: Tool = {
  spec: {
    name: "Read",
    description: "Reads a text file, or lists a directory.",
    input: schemaOf(PATH, {
      offset: { type: "integer", description: "The first line to read, from 1." },
      limit: { type: "integer", description: "How many lines to read." },
    }),
  },
  async use(input, { context }) {
    const given = texts(input, ["file_path"]);
    if ("problem" in given) return failed(given.problem);
    const shell = await runShell(context, {
      script: 'if [ -d "$1" ]; then exec ls -la -- "$1"; else exec cat -- "$1"; fi',
      args: [given.file_path],
    });
    const { offset, limit } = input;
    const from = typeof offset === "number" ? Math.max(0, offset - 1) : 0;
    const count = typeof limit === "number" ? limit : Infinity;
    const ranged = from > 0 || count !== Infinity;
    const text = ranged
      ? shell.text
          .split("\n")
          .slice(from, from + count)
          .join("\n")
      : shell.text;
    return used(shell, text === "" ? "(the file is empty)" : text);
  },
};

export const write: Tool = {
  spec: {
    name: "Write",
    description: "Writes a whole file; directories are made as needed.",
    input: schemaOf({ ...PATH, content: "The whole content." }),
  },
  async use(input, { context }) {
    const given = texts(input, ["file_path", "content"]);
    if ("problem" in given) return failed(given.problem);
    return used(await writeFile(context, given.file_path, given.content), `${given.file_path} is written.`);
  },
};

export const edit: Tool = {
  spec: {
    name: "Edit",
    description: "Replaces a text in a file. The text must occur exactly once, unless replace_all is true.",
    input: schemaOf(
      { ...PATH, old_string: "The text to replace, exactly.", new_string: "What stands there afterwards." },
      { replace_all: { type: "boolean", description: "Replace every occurrence." } },
    ),
  },
  async use(input, { context }) {
    const given = texts(input, ["file_path", "old_string", "new_string"]);
    if ("problem" in given) return failed(given.problem);
    const { file_path: path, old_string: old, new_string: fresh } = given;
    // The mark shows whether the file ends with a line end, which reading by lines cannot tell.
    const shell = await runShell(context, { script: 'cat -- "$1" && printf "\\nEND"', args: [path] });
    if (shell.forced !== null || shell.code !== 0) return used(shell, shell.text);
    const content = shell.text.slice(0, -"\nEND\n".length);
    if (shell.cut || content.includes("\uFFFD")) return failed(`${path} is not a text file of editable size`);
    const count = old === "" ? 0 : content.split(old).length - 1;
    if (count === 0) return failed(`old_string does not occur in ${path}`);
    if (count > 1 && input["replace_all"] !== true)
      return failed(`old_string occurs ${count} times in ${path}; give more of its surroundings`);
    const changed = content.split(old).join(fresh);
    return used(await writeFile(context, path, changed), `${path} is changed.`);
  },
};

function writeFile(context: ToolBench["context"], path: string, content: string): Promise<ShellRun> {
  const script = 'mkdir -p -- "$(dirname -- "$1")" && cat > "$1"';
  return runShell(context, { script, args: [path], stdin: content });
}

/** What went well says `text`; what did not, what the shell said. */
function used({ text: said, code, forced, notes, cut }: ShellRun, text: string): Used {
  const isError = code !== 0;
  const output = isError ? said.trim() || `it failed with code ${code ?? "none"}` : text;
  return { output: cut ? `${output}\n(cut here: the file is longer)` : output, isError, forced, notes };
}
