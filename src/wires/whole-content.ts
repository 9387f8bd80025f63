import { contentText, listAt, textAt } from "../lib/loose.ts";

/** The text of a content value, and pictures as the JSON they come in, so that another picture is another text. */
export function wholeContent(content: unknown): string {
  const rest = listAt(content).filter((part) => textAt(part, "type") !== "text");
  return [contentText(content), ...rest.map((part) => JSON.stringify(part))].join("");
}
