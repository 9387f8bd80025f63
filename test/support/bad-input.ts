/** What eval files may hold that must not be used, each with what must be said about it. */
export const BAD_INPUT: readonly {
  readonly what: string;
  /** Files of a skill called `tidy`. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly says: RegExp;
}[] = [
  {
    what: "truncated JSON",
    files: { "evals/evals.json": '{"evals": [{"id": 1, "prompt": "x"' },
    says: /tidy\/evals\/evals\.json:1:35 error: the file ends in the middle of a value: it is cut off/,
  },
  {
    what: "UTF-16",
    files: { "evals/evals.json": Buffer.from('\uFEFF{"evals": []}', "utf16le") },
    says: /evals\.json:1:1 error: the file is UTF-16 .*\n {2}hint: save it as UTF-8/,
  },
  {
    what: "UTF-16 without a mark",
    files: { "evals/evals.json": Buffer.from('{"evals": []}', "utf16le") },
    says: /evals\.json:1:1 error: the file is UTF-16/,
  },
  {
    what: "bytes that are no text",
    files: { "evals/evals.json": Uint8Array.from({ length: 512 }, (_, i) => i % 256 || 1) },
    says: /evals\.json:1:1 error: the file is not valid UTF-8/,
  },
  {
    what: "duplicate keys",
    files: { "evals/evals.json": '{"evals": [\n {"id": 1, "id": 2, "prompt": "x"}]}' },
    says: /evals\.json:2:12 error: the key "id" appears twice/,
  },
  {
    what: "duplicate keys in YAML",
    files: { "evals/001.yaml": "name: a\nname: b\n" },
    says: /001\.yaml:2:1 error: the key "name" appears twice/,
  },
  {
    what: "a scalar of 10 MB",
    files: { "evals/evals.json": JSON.stringify({ evals: [{ id: 1, prompt: "x".repeat(10_000_000) }] }) },
    says: /evals\.json:1:1 error: the file is 9\.5 MB; at most 8 MB are read/,
  },
  {
    what: "deep nesting",
    files: { "evals/evals.json": "[".repeat(100_000) },
    says: /evals\.json:1:201 error: nested more than 200 levels deep/,
  },
  {
    what: "deep nesting in YAML, in brackets",
    files: { "evals/001.yaml": `a: ${"[".repeat(100_000)}` },
    says: /001\.yaml:1:\d+ error: nested more than 200 levels deep/,
  },
  {
    what: "deep nesting in YAML, in lines",
    files: { "evals/001.yaml": Array.from({ length: 2000 }, (_, i) => `${" ".repeat(i)}a:\n`).join("") },
    says: /001\.yaml:\d+:1 error: nested more than 200 levels deep/,
  },
  {
    what: "a YAML alias bomb",
    files: { "evals/001.yaml": aliasBomb() },
    says: /001\.yaml:\d+:\d+ error: its aliases expand to more values than a file may hold/,
  },
  {
    what: "a YAML value without a JSON form",
    files: { "evals/001.yaml": "timestamp: 2025-01-01\nname: a\nprompt: .inf\nexpected: x\n" },
    says: /001\.yaml:3:9 error: \.inf is not a finite number/,
  },
  {
    what: "__proto__ keys",
    files: { "evals/evals.json": '{"__proto__": {"polluted": true}, "evals": []}' },
    says: /evals\.json:1:2 error: the key "__proto__" is not allowed/,
  },
  {
    what: "__proto__ keys in YAML",
    files: { "evals/001.yaml": "__proto__:\n  polluted: true\n" },
    says: /001\.yaml:1:1 error: the key "__proto__" is not allowed/,
  },
  {
    what: "a symlink loop",
    files: { evals: "->evals" },
    says: /tidy\/evals:1:1 error: the link "evals" points back to itself .*\n {2}hint: remove the link/,
  },
  {
    what: "a link to a directory it lies in",
    files: { "evals/again": "->../evals" },
    says: /tidy\/evals\/again:1:1 error: the link "again" points back/,
  },
  {
    what: "an id that leaves the result folder",
    files: { "evals/evals.json": '{"evals": [{"id": "../../evil", "prompt": "x"}]}' },
    says: /evals\.json:1:19 error: evals\[0\]\.id leaves its root by "\.\.": "\.\.\/\.\.\/evil".*\n {2}hint: /,
  },
  {
    what: "a path that escapes",
    files: { "evals/evals.json": '{"evals": [{"id": 1, "prompt": "x", "files": ["../../../etc/passwd"]}]}' },
    says: /evals\.json:1:47 error: evals\[0\]\.files\[0\] leaves its root by "\.\."/,
  },
  {
    what: "a path that escapes through a link",
    files: {
      "SKILL.eval.json": '{"test_args": "x", "input_files": ["out/passwd"]}',
      out: "->/etc",
    },
    says: /SKILL\.eval\.json:1:36 error: .*out\/passwd/,
  },
  {
    what: "an output that would be read from outside",
    files: { "SKILL.eval.json": '{"test_args": "x", "output_file": "../../secret"}' },
    says: /SKILL\.eval\.json:1:35 error: output_file leaves its root by "\.\."/,
  },
  {
    what: "frontmatter that is not YAML",
    files: { "SKILL.md": "---\nname: [\n---\nDo it.\n" },
    says: /tidy\/SKILL\.md:3:1 error: the frontmatter is not valid YAML/,
  },
];

function aliasBomb(): string {
  const lines = Array.from({ length: 30 }, (_, level) => {
    const before = level === 0 ? '"x"' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 9 }, () => before).join(", ")}]`;
  });
  return `${lines.join("\n")}\n`;
}
