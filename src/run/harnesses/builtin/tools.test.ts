import { describe, expect, it } from "vitest";
import { play, results, sent } from "./fixtures/play.ts";

describe("a tool call", () => {
  it.each([
    ["{tool: read, input: {path: missing.txt}}", /No such file/],
    ["{tool: edit, input: {path: missing.txt, old: a, new: b}}", /No such file/],
    ["{tool: edit, input: {path: a.txt, old: zebra, new: b}}", /does not occur/],
    ["{tool: edit, input: {path: a.txt, old: a, new: b}}", /occurs 2 times/],
    ["{tool: edit, input: {path: binary, old: a, new: b}}", /not a text file/],
    ["{tool: write, input: {path: a.txt/b, content: x}}", /Not a directory|File exists/],
    ["{tool: Bash, input: {cmd: ls}}", /needs command/],
    ["{tool: Write, input: {file_path: 7}}", /needs file_path and content/],
    ["{tool: Fly, input: {}}", /no tool "Fly"/],
    ["{tool: Bash, input: [ls]}", /not a JSON object/],
    ["{tool: Submit, input: {}}", /needs answer/],
    ['{tool: Bash, input: {command: "echo out; exit 7"}}', /^out\n\(exit code 7\)$/],
    ['{tool: Bash, input: {command: "echo out; sleep 30", timeout: 1}}', /^out\n\(ended after 1 s\)$/],
  ])("that fails is told to the model: %s", async (call, message) => {
    const { run, events, bench } = await play({
      script: `replies: [[${call}], Understood.]`,
      files: { "a.txt": "a b a", binary: "\uFFFD a" },
    });
    expect(run.outcome).toEqual({ status: "completed" });
    expect(results(events)[0]).toMatchObject({ isError: true, denied: false });
    expect(results(events)[0]?.output).toMatch(message);
    expect(bench.survivors()).toEqual([]);
  });

  it.each([
    ["", "x"],
    ["x", "y"],
    ["x\n", "y\n"],
    ["a\r\nx\r\n", "a\r\ny\r\n"],
    ["\n\nx\n\n\nEND\n", "\n\ny\n\n\nEND\n"],
    ["é \u{1f600} x", "é \u{1f600} y"],
  ])("edits %j exactly", async (before, after) => {
    const { events, file } = await play({
      script: "replies: [[{tool: edit, input: {path: a.txt, old: x, new: y}}], Done.]",
      files: { "a.txt": before },
    });
    expect(results(events)[0]?.isError).toBe(before === "");
    expect(file("a.txt")).toBe(before === "" ? "" : after);
  });

  it("edits every place when asked to, whatever the texts look like", async () => {
    const input = { file_path: "a.txt", old_string: "$&", new_string: "$1", replace_all: true };
    const { file } = await play({
      script: `replies: [[{tool: Edit, input: ${JSON.stringify(input)}}], Done.]`,
      files: { "a.txt": "$& and $&" },
    });
    expect(file("a.txt")).toBe("$1 and $1");
  });

  it.each([
    ["a; touch owned", "'quotes' $HOME `id`"],
    ["-rf", "--help"],
    ["sub dir/it's", "line\nline\n"],
  ])("writes to the path %j, not to a shell", async (path, content) => {
    const input = { file_path: path, content };
    const { run, file } = await play({
      script: `replies: [[{tool: Write, input: ${JSON.stringify(input)}}, {tool: Read, input: ${JSON.stringify(input)}}], Done.]`,
    });
    expect(run.outcome).toEqual({ status: "completed" });
    expect(file(path)).toBe(content);
    expect(() => file("owned")).toThrow("ENOENT");
  });

  it("reads part of a file, and lists a directory", async () => {
    const { events } = await play({
      script: `replies: [[{tool: Read, input: {file_path: a.txt, offset: 2, limit: 2}}, {tool: Read, input: {file_path: .}}], Done.]`,
      files: { "a.txt": "1\n2\n3\n4\n" },
    });
    expect(results(events)[0]?.output).toBe("2\n3");
    expect(results(events)[1]?.output).toMatch(/a\.txt/);
  });

  it("says much: the model sees the ends, the transcript all of it", async () => {
    const { events, sim } = await play({
      script: `replies: [[{tool: bash, input: {command: "seq 1 20000"}}], Done.]`,
    });
    expect(results(events)[0]?.output).toMatch(/^1\n2\n[^]*\n20000\n$/);
    const shown = JSON.stringify(sent(sim, 1));
    expect(shown).toMatch(/characters left out/);
    expect(shown.length).toBeLessThan(60_000);
  });

  it("says too much, and is cut", async () => {
    const { events } = await play({
      script: `replies: [[{tool: bash, input: {command: "yes | head -c 9000000"}}], Done.]`,
    });
    expect(results(events)[0]?.output.length).toBeLessThan(5_000_000);
    expect(results(events)[0]?.output).toMatch(/the rest of the output is cut\)$/);
  });

  it("is refused when it is not allowed", async () => {
    const { run, events, sim } = await play(
      { script: `replies: [[{tool: Bash, input: {command: "touch owned"}}], Done.]` },
      { options: { allowedTools: ["Read", "Write(src/**)"] } },
    );
    expect(sim.requests[0]?.seen?.tools).toEqual(["Read", "Write", "Submit"]);
    expect(results(events)[0]).toMatchObject({ denied: true, isError: true });
    expect(run.outcome).toEqual({ status: "completed" });
  });
});
