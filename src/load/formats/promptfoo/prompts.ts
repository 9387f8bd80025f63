import { type DocNode, valueOf } from "../../../lib/document/node.ts";
import type { Placed, Reading } from "./places.ts";

export interface PromptTemplate {
  /** By which a test can choose it. */
  readonly label: string;
  readonly template: string;
  readonly placed: Placed;
}

/** The prompts of a configuration; null after a problem was reported. */
export async function readPrompts(
  placed: Placed,
  reading: Reading,
): Promise<readonly PromptTemplate[] | null> {
  const { node, document } = placed;
  const nodes = node.kind === "array" ? node.elements : [node];
  const prompts: PromptTemplate[] = [];
  for (const one of nodes) {
    const read = await readPrompt({ node: one, document }, reading);
    if (read === null) return null;
    prompts.push(...read);
  }
  if (prompts.length > 0) return prompts;
  return reading.refuse(document.at(node.start), "no-prompt", "there is no prompt", "add a text to prompts");
}

async function readPrompt(placed: Placed, reading: Reading): Promise<readonly PromptTemplate[] | null> {
  const { node, document } = placed;
  const at = document.at(node.start);
  const written = textOf(node);
  if (written === null)
    return reading.refuse(at, "wrong-type", "a prompt must be a text, or an object with raw or id");
  const { text, label } = written;
  if (/\.(?:[cm]?[jt]s|py|sh|exe)(?::\w+)?$/i.test(text) && !text.includes("\n") && !text.includes(" ")) {
    const hint = "write the prompt as text";
    return reading.refuse(
      at,
      "code-not-run",
      `the prompt ${JSON.stringify(text)} is a program, which is not run`,
      hint,
    );
  }
  if (!isFile(text)) return [{ label: label ?? text, template: text, placed }];
  const file = await reading.file(text, placed);
  if (file === null) return null;
  const parts = file.text.split(/^---\s*$/m).map((part) => part.trim());
  return parts.filter((part) => part !== "").map((template) => ({ label: label ?? text, template, placed }));
}

function textOf(node: DocNode): { text: string; label: string | null } | null {
  if (node.kind === "string" && node.value.trim() !== "") return { text: node.value, label: null };
  const part = (key: string) => {
    const value = valueOf(node, key);
    return value?.kind === "string" && value.value.trim() !== "" ? value.value : null;
  };
  const text = part("raw") ?? part("id");
  return text === null ? null : { text, label: part("label") ?? part("id") };
}

function isFile(text: string): boolean {
  return text.startsWith("file://") || /^[\w./-]+\.(?:txt|md|j2)$/i.test(text);
}
