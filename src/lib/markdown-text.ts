import { printable } from "./printable.ts";

/** Text from elsewhere as plain words in Markdown: one line in which nothing formats, links, mentions or embeds. */
export function markdownText(text: string): string {
  return printable(text.replaceAll(/\s+/g, " ").trim()).replaceAll(
    /[&<>|`*_~[\]#@!\\]|:(?=\/\/)|(?<=www)\./g,
    (char) => `&#${char.charCodeAt(0)};`,
  );
}
