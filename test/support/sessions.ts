/** A session in which a person had to correct the agent: what was said and done, and what a skill must say to prevent it. */
export interface ScriptedSession {
  readonly name: string;
  readonly client: "claude-code" | "codex";
  readonly files: Readonly<Record<string, string>>;
  readonly asks: string;
  readonly corrects: string;
  /** What the agent does for each of the two, in the words of the scripted server. */
  readonly first: readonly unknown[];
  readonly second: readonly unknown[];
  /** Shell commands of an agent that follows the skill: as it was, and as it should be. */
  readonly bad: string;
  readonly good: string;
}

const write = (path: string, content: string) => [
  { tool: "write", input: { path: `{{cwd}}/${path}`, content } },
];
const read = (path: string) => [{ tool: "read", input: { path: `{{cwd}}/${path}` } }];
const print = (path: string) => [{ tool: "bash", input: { command: `cat ${path}` } }];
const put = (path: string, content: string) => [
  { tool: "bash", input: { command: `printf '%s\\n' '${content}' > ${path}` } },
];

/** A key that was never anybody's, of a shape that keys have. */
export const LEAKED = `ghp_${"Ab12".repeat(9)}`;

export const SESSIONS: readonly ScriptedSession[] = [
  {
    name: "claude-report",
    client: "claude-code",
    files: { "sales.csv": "region,amount\nnorth,10\nsouth,32\n" },
    asks: "Summarize sales.csv in report.md.",
    corrects: 'No, write "Total: 42", not "Sum: 42".',
    first: [read("sales.csv"), write("report.md", "Sum: 42\n"), "I wrote report.md."],
    second: [write("report.md", "Total: 42\n"), "It says the total now."],
    bad: "echo 'Sum: 42' > report.md; echo done",
    good: "echo 'Total: 42' > report.md; echo done",
  },
  {
    name: "claude-answer",
    client: "claude-code",
    files: { "notes.txt": "Call Ada on Monday.\n" },
    asks: "What do I have to do according to notes.txt?",
    corrects: 'Wrong. Always begin with "Summary:".',
    first: [read("notes.txt"), "You have to call Ada."],
    second: ["Summary: call Ada on Monday."],
    bad: "echo 'Call Ada.'",
    good: "echo 'Summary: call Ada.'",
  },
  {
    name: "claude-place",
    client: "claude-code",
    files: { "log.txt": "fix: a crash\n" },
    asks: "Write a changelog of log.txt.",
    corrects: 'It should be in "CHANGELOG.md" and not in "CHANGES.txt".',
    first: [read("log.txt"), write("CHANGES.txt", "- a crash is fixed\n"), "Done."],
    second: [write("CHANGELOG.md", "- a crash is fixed\n"), "Moved."],
    bad: "echo '- a crash' > CHANGES.txt; echo done",
    good: "echo '- a crash' > CHANGELOG.md; echo done",
  },
  {
    name: "codex-report",
    client: "codex",
    files: { "stock.csv": "item,count\nnails,7\n" },
    asks: "Summarize stock.csv in stock.md.",
    corrects: 'You forgot the heading: it must start with "# Stock".',
    first: [print("stock.csv"), put("stock.md", "7 nails"), "I wrote stock.md."],
    second: [put("stock.md", "# Stock"), "Added."],
    bad: "echo '7 nails' > stock.md; echo done",
    good: "echo '# Stock' > stock.md; echo done",
  },
  {
    name: "codex-secret",
    client: "codex",
    files: { "deploy.txt": `host: 10.0.0.7\ntoken: ${LEAKED}\nowner: ada.lovelace@gmail.com\n` },
    asks: "Explain deploy.txt to a new colleague.",
    corrects: 'No, never say the token, and end with "Ask before you deploy.".',
    first: [print("deploy.txt"), `The token is ${LEAKED}.`],
    second: ["It says where we deploy. Ask before you deploy."],
    bad: "echo 'It says where we deploy.'",
    good: "echo 'It says where. Ask before you deploy.'",
  },
];

/** For the scripted model server. */
export function sessionScript({ corrects, asks, first, second }: ScriptedSession): string {
  return JSON.stringify({
    rules: [
      { when: { userText: corrects }, steps: second },
      { when: { userText: asks }, steps: first },
    ],
  });
}
