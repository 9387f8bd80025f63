import { edit, read, write } from "./file-tools.ts";
import { runShell } from "./shell.ts";
import { bodyOf, skillText } from "./skills.ts";
import { failed, schemaOf, texts, type Tool } from "./tool.ts";

const bash: Tool = {
  spec: {
    name: "Bash",
    description:
      "Runs a bash command in the working directory and gives its output. Each call is a new shell; what it leaves running is ended with it.",
    input: schemaOf(
      { command: "The command." },
      {
        timeout: {
          type: "number",
          description: "Seconds after which it is ended; 120 unless given, at most 600.",
        },
      },
    ),
  },
  async use(input, { context }) {
    const given = texts(input, ["command"]);
    if ("problem" in given) return failed(given.problem);
    const wanted = typeof input["timeout"] === "number" ? input["timeout"] : 120;
    const seconds = Math.min(600, Math.max(1, Math.ceil(wanted)));
    const shell = await runShell(context, { script: TIMED, args: [given.command, String(seconds)] });
    const { text, code, cut, forced, notes } = shell;
    const ends = [
      ...(cut ? ["(the rest of the output is cut)"] : []),
      ...(code === 0 ? [] : [code === 124 ? `(ended after ${seconds} s)` : `(exit code ${code ?? "none"})`]),
    ];
    return { output: `${text}${ends.join("\n")}`, isError: code !== 0, forced, notes };
  },
};

/** Not every system has `timeout`; the trial's own deadline holds everywhere. */
const TIMED = `
if command -v timeout >/dev/null 2>&1; then exec timeout -k 2 "$2" bash -c "$1"; fi
exec bash -c "$1"`;

const skill: Tool = {
  spec: {
    name: "Skill",
    description: "Loads a skill of the list: gives its instructions and where its files are.",
    input: schemaOf(
      { skill: "The skill's name, as listed." },
      { args: { type: "string", description: "Arguments for it, if it takes any." } },
    ),
  },
  async use(input, { context, skills }) {
    const given = texts(input, ["skill"]);
    if ("problem" in given) return failed(given.problem);
    const wanted = given.skill.replace(/^\//, "");
    const found = skills.find(({ name }) => name === wanted);
    if (found === undefined) {
      const names = skills.map(({ name }) => name).join(", ");
      return failed(
        `there is no skill ${JSON.stringify(wanted)}; there ${names === "" ? "is none" : `are: ${names}`}`,
      );
    }
    const shell = await runShell(context, { script: 'cat -- "$1"', args: [found.file] });
    if (shell.code !== 0)
      return { output: shell.text, isError: true, forced: shell.forced, notes: shell.notes };
    const directory = `${context.places.workspace}/${found.file}`.replace(/\/[^/]*$/, "");
    const args = typeof input["args"] === "string" ? input["args"] : "";
    const output = skillText(bodyOf(shell.text), directory, args);
    return { output, isError: false, skill: wanted, notes: shell.notes };
  },
};

const submit: Tool = {
  spec: {
    name: "Submit",
    description: "Gives the final answer and ends the work on the user's message.",
    input: schemaOf({ answer: "What the user is told." }),
  },
  async use(input) {
    const given = texts(input, ["answer"]);
    return "problem" in given
      ? failed(given.problem)
      : { output: "The answer is given.", isError: false, answer: given.answer };
  },
};

export const TOOLS: readonly Tool[] = [bash, read, write, edit, skill, submit];

/** `Bash(git *)` allows Bash here: what a tool is used for is not looked at. */
export function allowedTools(allowed: readonly string[] | null): readonly Tool[] {
  if (allowed === null) return TOOLS;
  const names = new Set(allowed.map((entry) => entry.replace(/\(.*$/s, "").trim().toLowerCase()));
  return TOOLS.filter(({ spec }) => spec.name === "Submit" || names.has(spec.name.toLowerCase()));
}
