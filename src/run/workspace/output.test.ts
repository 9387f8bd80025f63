import { describe, expect, it } from "vitest";

import type { OutputSource } from "../../domain/suite.ts";
import { captureChanges } from "./capture.ts";
import { Ground, inside, METHODS } from "./fixtures/kit.ts";
import { type OutputText, readOutput } from "./output.ts";

const file = (name: string, patterns: string[] = []): OutputSource => ({
  kind: "files",
  file: name,
  patterns,
});
const files = (...patterns: string[]): OutputSource => ({ kind: "files", file: null, patterns });

describe.each(METHODS)("the output text by %s", (method) => {
  const outputOf = async (source: OutputSource, script: string): Promise<OutputText> => {
    await using here = new Ground();
    here.write({ secret: "outside" }, here.at("elsewhere"));
    here.write({ "old.md": "stale", "research/old.md": "stale", same: "same" });
    await using staged = await here.stage(await here.base(), { method });
    inside(staged, script.replaceAll("ELSEWHERE", here.at("elsewhere")));
    const { touched } = await captureChanges(staged, { outputs: here.at("outputs"), inputs: null });
    return await readOutput(source, "what the agent said", { staged, touched, seenAs: "/seen/as" });
  };

  it.each<[string, OutputSource, string, string]>([
    ["the messages", { kind: "messages" }, "echo x > f", "what the agent said"],
    ["a file", file("out/f.md"), "mkdir out; printf text > out/f.md", "text"],
    ["a file rather than patterns", file("f", ["*.md"]), "printf one > f; printf two > g.md", "one"],
    ["a modified file", file("old.md"), "printf new > old.md", "new"],
    ["a file written anew as it was", file("same"), "printf same > same", "same"],
    ["an empty file", file("f"), ": > f", ""],
    ["a dotted spelling", file("./out/../f"), "printf x > f", "x"],
    [
      "all matches in path order",
      files("b*", "a*"),
      "for f in b2 a1 b1 c; do printf $f > $f; done",
      "a1\nb1\nb2",
    ],
    ["a match of two patterns once", files("a*", "*1"), "printf x > a1", "x"],
    ["matches the run wrote", files("research/*.md"), "printf new > research/new.md", "new"],
    ["matches at any depth", files("**/*.md"), "mkdir -p r/s; printf 1 > r/s/x.md; printf 0 > 0.md", "0\n1"],
    ["choices", files("*.{md,json}"), "printf 1 > a.md; printf 2 > b.json; printf 3 > c.txt", "1\n2"],
    ["a link inside", file("l"), "printf x > f; ln -s f l", "x"],
    ["a link that names the workspace", file("d/l"), "mkdir d; printf x > f; ln -s /seen/as/f d/l", "x"],
    ["a file in a linked directory", file("l/f"), "mkdir d; printf x > d/f; ln -s d l", "x"],
    ["bytes that are no UTF-8", file("f"), "printf 'a\\377b' > f", "a\uFFFDb"],
    ["text without its byte order mark", file("f"), "printf '\\357\\273\\277x' > f", "x"],
  ])("is %s", async (_, source, script, expected) => {
    expect(await outputOf(source, script)).toMatchObject({ kind: "text", text: expected });
  });

  it.each<[string, OutputSource, string, RegExp]>([
    ["a missing file", file("f"), "true", /did not write .* f$/],
    ["a missing file though a pattern would match", file("f", ["*.md"]), "printf x > g.md", /did not write/],
    ["a file that was there before", file("old.md"), "true", /existed before/],
    ["a deleted file", file("old.md"), "rm old.md", /deleted/],
    ["a directory", file("d"), "mkdir d; echo x > d/f", /did not write/],
    ["a FIFO", file("f"), "mkfifo f", /not a regular file/],
    ["an absolute path", file("/etc/passwd"), "true", /is absolute/],
    ["a path that leaves", file("../x"), "true", /leaves its root/],
    ["a pattern that leaves", files("*.md", "../*"), "printf x > a.md", /leaves its root/],
    ["a link that leaves", file("l"), "ln -s ELSEWHERE/secret l", /points outside/],
    ["a relative link that leaves", file("l"), "ln -s ../../../elsewhere/secret l", /points outside/],
    ["a file behind a link that leaves", file("l/secret"), "ln -s ELSEWHERE l", /did not write/],
    ["a match that is a link that leaves", files("*"), "ln -s ELSEWHERE/secret l", /points outside/],
    ["a circle of links", file("l"), "ln -s m l; ln -s l m", /back to itself/],
    ["no match", files("*.pdf"), "printf x > a.md", /no file the run wrote matches \*\.pdf; it wrote 1/],
    ["only matches from before", files("*.md"), "true", /no file the run wrote/],
    ["a hidden file for a plain pattern", files("*"), "printf x > .f", /no file the run wrote/],
  ])("is a failure that says so for %s", async (_, source, script, reason) => {
    expect(await outputOf(source, script)).toMatchObject({
      kind: "missing",
      reason: expect.stringMatching(reason),
    });
  });
});
