import type { Json, JsonObject } from "../../domain/json.ts";
import type { Ask, OfferedTool } from "../../wires/ask.ts";
import { listedSkills, skillDirectory } from "./skills.ts";
import { Unanswerable } from "./unanswerable.ts";

/** A tool call as the client at hand spells it. */
export interface ClientCall {
  readonly name: string;
  readonly input: Json;
  readonly custom: boolean;
}

/** Names that one script can use for every client, with the input each takes. */
export const ALIASES: Readonly<Record<string, { required: readonly string[]; optional: readonly string[] }>> =
  {
    bash: { required: ["command"], optional: [] },
    read: { required: ["path"], optional: [] },
    write: { required: ["path", "content"], optional: [] },
    edit: { required: ["path", "old", "new"], optional: [] },
    skill: { required: ["name"], optional: ["args"] },
    patch: { required: ["patch"], optional: [] },
  };

/** Any other name is passed on as it is, offered or not. Throws `Unanswerable` when the client offers nothing for an alias. */
export function toClientCall(name: string, input: Json, ask: Ask): ClientCall {
  const offered = new Map(ask.tools.map((tool) => [tool.name, tool]));
  if (!Object.hasOwn(ALIASES, name)) return { name, input, custom: offered.get(name)?.custom ?? false };
  const fields = strings(input);
  for (const [tool, write] of SPELLINGS[name] ?? []) {
    const found = offered.get(tool);
    if (found !== undefined)
      return { name: tool, input: inItsWords(write(fields), found), custom: found.custom };
  }
  for (const [tool, write] of SPELLINGS["bash"] ?? []) {
    const found = offered.get(tool);
    const command = found === undefined ? null : asCommand(name, fields, { tool, ask });
    if (found !== undefined && command !== null)
      return { name: tool, input: inItsWords(write({ command }), found), custom: false };
  }
  const names = [...offered.keys()].join(", ");
  throw new Unanswerable(
    `the script calls ${JSON.stringify(name)}, but the request offers ${names === "" ? "no tools" : `only ${names}`}`,
  );
}

/** Whether a client's tool is what an alias (or a plain name) of the script means. */
export function meansTool(wanted: string, tool: string): boolean {
  if (wanted.toLowerCase() === tool.toLowerCase()) return true;
  return (SPELLINGS[wanted] ?? []).some(([name]) => name === tool);
}

type Spelling = readonly [tool: string, write: (fields: Fields) => Json];
type Fields = Readonly<Record<string, string>>;

/** In this order: Claude Code, Codex, opencode and those like it, Gemini CLI and Qwen Code. */
const SPELLINGS: Readonly<Record<string, readonly Spelling[]>> = {
  bash: [
    ["Bash", ({ command = "" }) => ({ command, description: "Run a command" })],
    ["exec_command", ({ command = "" }) => ({ cmd: command })],
    ["shell_command", ({ command = "" }) => ({ command })],
    ["shell", ({ command = "" }) => ({ command: ["bash", "-lc", command] })],
    ["bash", ({ command = "" }) => ({ command, description: "Run a command" })],
    ["run_shell_command", ({ command = "" }) => ({ command })],
  ],
  read: [
    ["Read", ({ path = "" }) => ({ file_path: path })],
    ["read", ({ path = "" }) => ({ filePath: path })],
    ["read_file", ({ path = "" }) => ({ file_path: path })],
  ],
  write: [
    ["Write", ({ path = "", content = "" }) => ({ file_path: path, content })],
    ["write", ({ path = "", content = "" }) => ({ filePath: path, content })],
    ["write_file", ({ path = "", content = "" }) => ({ file_path: path, content })],
  ],
  edit: [
    [
      "Edit",
      (fields) => ({
        file_path: fields["path"] ?? "",
        old_string: fields["old"] ?? "",
        new_string: fields["new"] ?? "",
      }),
    ],
    [
      "edit",
      (fields) => ({
        filePath: fields["path"] ?? "",
        oldString: fields["old"] ?? "",
        newString: fields["new"] ?? "",
      }),
    ],
    [
      "replace",
      (fields) => ({
        file_path: fields["path"] ?? "",
        old_string: fields["old"] ?? "",
        new_string: fields["new"] ?? "",
      }),
    ],
    ["apply_patch", (fields) => updatePatch(fields)],
  ],
  skill: [
    ["Skill", ({ name = "", args }) => ({ skill: name, ...(args === undefined ? {} : { args }) })],
    ["skill", ({ name = "" }) => ({ name })],
    ["activate_skill", ({ name = "" }) => ({ name })],
  ],
  patch: [["apply_patch", ({ patch = "" }) => patch]],
};

/** Clients share the names of tools more often than those of their fields: what a tool does not take goes under the name it does. */
function inItsWords(input: Json, { takes = [] }: OfferedTool): Json {
  if (takes.length === 0 || typeof input !== "object" || input === null) return input;
  const named = Object.entries(input as JsonObject).map(([key, value]) => {
    const others = takes.includes(key) ? [] : (SYNONYMS.find((names) => names.includes(key)) ?? []);
    return [others.find((name) => takes.includes(name)) ?? key, value];
  });
  return Object.fromEntries(named) as JsonObject;
}

const SYNONYMS: readonly (readonly string[])[] = [
  ["file_path", "filePath", "path"],
  ["content", "file_text"],
  ["old_string", "oldString", "old_str", "oldText"],
  ["new_string", "newString", "new_str", "newText"],
  ["skill", "name"],
  ["command", "cmd"],
];

/** Codex makes the `apply_patch` command available in its shells; nobody else has it. */
const PATCHING_SHELLS: ReadonlySet<string> = new Set(["exec_command", "shell_command", "shell"]);

/** What a client that only has a shell does instead. */
function asCommand(name: string, fields: Fields, { tool, ask }: { tool: string; ask: Ask }): string | null {
  const path = fields["path"] ?? "";
  switch (name) {
    case "read":
      return `cat ${quote(path)}`;
    case "write":
      return `mkdir -p "$(dirname ${quote(path)})" && printf %s ${quote(fields["content"] ?? "")} > ${quote(path)}`;
    case "edit":
      return PATCHING_SHELLS.has(tool) ? patchCommand(updatePatch(fields)) : null;
    case "patch":
      return PATCHING_SHELLS.has(tool) ? patchCommand(fields["patch"] ?? "") : null;
    case "skill":
      return `cat ${quote(`${skillPlace(fields["name"] ?? "", ask)}/SKILL.md`)}`;
    default:
      return null;
  }
}

function skillPlace(name: string, ask: Ask): string {
  const directory = skillDirectory(ask, name);
  if (directory !== null) return directory;
  const listed = listedSkills(ask).map((skill) => skill.name);
  throw new Unanswerable(
    `the script activates the skill ${JSON.stringify(name)}, but the request lists ${listed.length === 0 ? "no skills" : `only ${listed.join(", ")}`}`,
  );
}

function updatePatch(fields: Fields): string {
  const lines = (sign: string, text: string): string[] => text.split("\n").map((line) => `${sign}${line}`);
  return [
    "*** Begin Patch",
    `*** Update File: ${fields["path"] ?? ""}`,
    "@@",
    ...lines("-", fields["old"] ?? ""),
    ...lines("+", fields["new"] ?? ""),
    "*** End Patch",
  ].join("\n");
}

function patchCommand(patch: string): string {
  return `apply_patch <<'ASSAY_PATCH'\n${patch}\nASSAY_PATCH`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function strings(input: Json): Fields {
  const texts = Object.entries(input as JsonObject).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts) as Fields;
}
