import type { Json } from "../../domain/json.ts";
import { nearest } from "../../lib/nearest.ts";
import { type Scene, wholeText } from "./scene.ts";
import { skillDirectory } from "./skills.ts";
import { Unanswerable } from "./unanswerable.ts";

/** `{{name}}`, `{{name argument}}`, `{{name /regex/}}` (its first group), each with `| number` at the end; `\{{` is a literal `{{`. */
const HOLE = /\\\{\{|\{\{\s*([\w.]+)(?:\s+(?!\/|\|)(\S+?))?(?:\s+\/(.+?)\/)?(\s*\|\s*number)?\s*\}\}/g;

/** Claude Code, opencode and pi, Codex, Gemini CLI, Qwen Code. */
const CWD =
  /(?:[Ww]orking directory: |<cwd>|\*\*Workspace Directories:\*\*\s+- |working in the directory: )([^\n<]+)/;

const VALUES: Readonly<Record<string, (scene: Scene, argument: string | null) => string | null>> = {
  userText: (scene) => scene.userText,
  toolResult: (scene) => scene.results.at(-1)?.text ?? null,
  "skill.dir": (scene, name) => skillDirectory(scene.ask, name),
  cwd: (scene) => CWD.exec(wholeText(scene.ask))?.[1]?.trim() ?? null,
  request: (scene) => wholeText(scene.ask),
  model: (scene) => scene.ask.model,
  turn: (scene) => String(scene.turn),
  step: (scene) => String(scene.step),
};

/** What is wrong with the holes of a text; null when every one can be filled in principle. */
export function templateProblem(text: string): { message: string; hint: string } | null {
  const names = Object.keys(VALUES);
  for (const match of text.matchAll(HOLE)) {
    const [written, name, , pattern] = match;
    if (name === undefined) continue;
    if (!Object.hasOwn(VALUES, name)) {
      const near = nearest(name, names);
      return {
        message: `${written} asks for the unknown value ${JSON.stringify(name)}`,
        hint:
          near === null
            ? `known values: ${names.join(", ")}; a literal {{ is written \\{{`
            : `did you mean "${near}"?`,
      };
    }
    if (pattern !== undefined && !isRegex(pattern)) {
      return {
        message: `${written} holds a pattern that is not a regular expression`,
        hint: "JavaScript syntax is used",
      };
    }
  }
  if (text.replaceAll(HOLE, "").includes("{{")) {
    return {
      message: "a {{ is never closed, or what follows it is not a value",
      hint: "a literal {{ is written \\{{",
    };
  }
  return null;
}

/** Throws `Unanswerable` when the request does not hold the value. */
export function fillText(text: string, scene: Scene): string {
  return text.replaceAll(HOLE, (written: string, name?: string, argument?: string, pattern?: string) =>
    name === undefined ? "{{" : hole({ written, name, argument, pattern }, scene),
  );
}

/** Fills every string of a value; a string that is nothing but one `| number` hole becomes that number. */
export function fillJson(value: Json, scene: Scene): Json {
  if (typeof value === "string") return fillString(value, scene);
  if (Array.isArray(value)) return (value as readonly Json[]).map((element) => fillJson(element, scene));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillJson(inner, scene)]));
}

function fillString(text: string, scene: Scene): Json {
  const filled = fillText(text, scene);
  const match = [...text.matchAll(HOLE)][0];
  if (match?.[0] !== text || match[4] === undefined) return filled;
  const value = Number(filled);
  if (filled.trim() === "" || !Number.isFinite(value))
    throw new Unanswerable(`${text} gave ${JSON.stringify(filled)}, which is not a number`);
  return value;
}

interface Hole {
  readonly written: string;
  readonly name: string;
  readonly argument: string | undefined;
  readonly pattern: string | undefined;
}

function hole({ written, name, argument, pattern }: Hole, scene: Scene): string {
  const value = VALUES[name]?.(scene, argument ?? null) ?? null;
  if (value === null) throw new Unanswerable(`${written}: the request does not contain it`);
  if (pattern === undefined) return value;
  const match = new RegExp(pattern).exec(value);
  if (match === null)
    throw new Unanswerable(`${written}: the pattern does not match ${JSON.stringify(value.slice(0, 200))}`);
  return match[1] ?? match[0];
}

function isRegex(pattern: string): boolean {
  try {
    RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
