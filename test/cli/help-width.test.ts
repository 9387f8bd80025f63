import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/index.ts";
import { assay } from "../support/command-line.ts";

const PAGES = [["--help"], ...COMMANDS.map(({ name }) => [name, "--help"])];
const WIDTHS = [40, 60, 80, 100, 120];

const shown = async (words: readonly string[], columns: number): Promise<string> =>
  (await assay(words, { cwd: process.cwd(), columns })).out;

/** The words alone: breaks between lines, and what joins the lines of a command, are not among them. */
const wordsIn = (text: string): string =>
  text.replaceAll(/ \\$/gm, "").replaceAll(/\s+/g, " ").replaceAll(", ", ",").trim();

describe.each(PAGES.map((words) => [words.join(" "), words] as const))("assay %s", (_, words) => {
  it.each(WIDTHS)("fits %i columns and breaks between words only", async (columns) => {
    const page = await shown(words, columns);
    const lines = page.split("\n").map((line) => line.replace(/ \\$/, ""));
    const long = lines.filter(
      (line) => line.length >= columns && /\S\s+\S/.test(line.replaceAll(/"[^"]*"/g, "")),
    );
    expect(long).toEqual([]);
    const sorted = (text: string) => wordsIn(text).split(" ").toSorted();
    const whole = await shown(words, 10_000);
    const isMarked = (word: string) => word !== "#";
    expect(sorted(page).filter(isMarked)).toEqual(sorted(whole).filter(isMarked));
  });

  it("keeps its examples as commands that can be copied, however narrow the terminal is", async () => {
    expect(await shown(words, 40)).not.toMatch(/^[^"\n]*"[^"\n]* \\$/m);
    const examples = (text: string) =>
      [
        ...(text.split("Examples:\n")[1] ?? "")
          .replaceAll(/ \\\n +/g, " ")
          .matchAll(/^ +(assay .*?)(?: +#.*)?$/gm),
      ].map(([, command]) => command);
    expect(examples(await shown(words, 40))).toEqual(examples(await shown(words, 10_000)));
  });
});
