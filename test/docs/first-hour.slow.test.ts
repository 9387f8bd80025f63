import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { shellWords } from "../../src/lib/shell-words.ts";
import { mapConcurrently } from "../../src/lib/concurrent.ts";
import { builtCommand } from "../support/built-command.ts";
import { ROOT } from "../support/docs/blocks.ts";
import { type Mistake, MISTAKES } from "../support/docs/mistakes.ts";
import { runNode } from "../support/run-node.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";

const PAGE = join(ROOT, "docs/design/first-hour.md");
const MARK = "<!-- mistakes: npm run reference writes them -->";

const SKILL = (name: string) =>
  `---\nname: ${name}\ndescription: Works with PDF files. Use for PDF files.\n---\n\nDo it.\n`;
const EVALS = (name: string, rest: object) =>
  JSON.stringify({ skill_name: name, evals: [{ id: 1, prompt: "Merge a.pdf and b.pdf", ...rest }] }, null, 2);

let project: TempTree;
let home: TempTree;
let command: Awaited<ReturnType<typeof builtCommand>>;

beforeAll(async () => {
  command = await builtCommand();
  home = await tempTree({});
  project = await tempTree({
    ".git/HEAD": "ref: refs/heads/main\n",
    "skills/pdf/SKILL.md": SKILL("pdf"),
    "skills/pdf/evals/evals.json": EVALS("pdf", {
      assay: { checks: [{ type: "contains", needle: "Done" }] },
    }),
    "skills/judged/SKILL.md": SKILL("judged"),
    "skills/judged/evals/evals.json": EVALS("judged", { expectations: ["It is polite"] }),
    "skills/fresh/SKILL.md": SKILL("fresh"),
    "skills/nameless/SKILL.md": "No frontmatter here.\n",
    "broken.json": '{ "evals": [ { "id": 1, "prompt": "x" } ',
    "wrong.json": '{ "skill_name": "pdf", "evals": [ { "id": 1, "promt": "Merge" } ] }',
    "odd.json": '{ "harnes": "codex" }',
    "script.json": JSON.stringify({ replies: [{ steps: [{ text: "Done" }] }] }),
    "old.txt": "old\n",
    "new.txt": "new\n",
    "answer.txt": "Done\n",
    "empty/": "",
  });
}, 180_000);

afterAll(async () => {
  for (const one of [project, home, command]) await one[Symbol.asyncDispose]();
});

it("docs/design/first-hour.md shows what each mistake is told", { timeout: 600_000 }, async () => {
  expect(MISTAKES.length).toBeGreaterThanOrEqual(60);
  const row = async ({ said, led }: Mistake) => `| \`${said}\` | ${await told(said)} | ${led ?? ""} |`;
  const first = MISTAKES.findIndex(({ said }) => said === FIRST_RESULTS);
  expect(first).toBeGreaterThan(0);
  // Nothing is kept before the first run that is not refused; what comes after it is told by what it left.
  const rows = [...(await mapConcurrently(MISTAKES.slice(0, first), 4, row))];
  for (const mistake of MISTAKES.slice(first)) rows.push(await row(mistake));
  const table = ["| command | what it says | what that led to |", "|---|---|---|", ...rows].join("\n");
  const [before = "", , after = ""] = (await readFile(PAGE, "utf8")).split(MARK);
  const expected = `${before}${MARK}\n${table}\n${MARK}${after}`;
  if (process.env["UPDATE_GOLDEN"] !== undefined) await writeFile(PAGE, expected);
  expect(await readFile(PAGE, "utf8")).toBe(expected);
});

const FIRST_RESULTS = "assay run skills/judged --harness scripted --script script.json";

/** The exit code, then the first lines, which is what people read. */
async function told(said: string): Promise<string> {
  const [, ...args] = shellWords(said) ?? [];
  // As a stranger calls it: the published program, a clean HOME, no terminal.
  const env = { PATH: "/usr/bin:/bin", HOME: home.root };
  const { code, out, err } = await runNode([command.path, ...args], { cwd: project.root, env });
  const lines = (code === 0 ? out || err : err || out).split("\n").filter((line) => line.trim() !== "");
  const first = lines.findIndex((line) => /\berror\b/.test(line));
  const shown = lines.slice(Math.max(first, 0), Math.max(first, 0) + 2).map((line) => line.trim());
  const cell = shown.map((line) => line.replaceAll("<", "&lt;").replaceAll("|", "\\|")).join("<br>");
  const steady = cell.replaceAll(project.root, "~/project").replaceAll(/\d+\.\d s\b/g, "N s");
  return `${code}: ${steady}`;
}
