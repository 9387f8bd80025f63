import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { shellWords } from "./shell-words.ts";

it.each<[string, readonly string[] | null]>([
  ["", []],
  ["  ", []],
  ["./agent.sh", ["./agent.sh"]],
  ["  a\tb\n c ", ["a", "b", "c"]],
  [`a 'b c' "d e"`, ["a", "b c", "d e"]],
  [`--name='x y'z`, ["--name=x yz"]],
  [`'' ""`, ["", ""]],
  [String.raw`a\ b \'`, ["a b", "'"]],
  [String.raw`"a \"b\" \\ \n"`, [String.raw`a "b" \ \n`]],
  [String.raw`'a\'`, [String.raw`a` + "\\"]],
  [`$HOME *.md a|b`, ["$HOME", "*.md", "a|b"]],
  [`'open`, null],
  [`"open\\"`, null],
  ["ends with \\", null],
])("%j", (line, words) => {
  expect(shellWords(line)).toEqual(words);
});

it("reads every quoted word as a shell does", () => {
  const word = fc.string({ unit: fc.constantFrom("a", " ", "'", '"', "\\", "é", "\t"), maxLength: 6 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const line = words.map((one) => `'${one.replaceAll("'", String.raw`'\''`)}'`).join(" ");
      const shell = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
      expect(shellWords(line)).toEqual(words);
      expect(shell.split("\0").slice(0, -1)).toEqual(words);
    }),
    { numRuns: 40 },
  );
});
