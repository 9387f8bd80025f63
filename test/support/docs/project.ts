import { execFileSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { parse } from "yaml";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { comparisonReplyOf } from "../comparing.ts";
import { EXAMPLES } from "../examples.ts";
import { type TempTree, tempTree } from "../temp-tree.ts";

const skill = (name: string, description: string, body: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
const PDF = skill(
  "pdf",
  "Merges and splits PDF files. Use for anything about PDF files.",
  "Keep the order of pages.",
);
const MERGED = { type: "contains", needle: "all pages of both", id: "pages", applies_to: "every-variant" };

/** The project that the pages talk about: the examples, `skills/pdf` with a history in git, and what is named beside it. */
const FILES = {
  "skills/pdf/SKILL.md": PDF,
  "skills/pdf/evals/evals.json": JSON.stringify({
    skill_name: "pdf",
    evals: [
      { id: 1, prompt: "Join a.pdf and b.pdf", assay: { checks: [MERGED] } },
      { id: 2, prompt: "Join c.pdf and d.pdf", assay: { checks: [MERGED] } },
    ],
  }),
  "skills/find-venues/SKILL.md": skill(
    "find-venues",
    "Finds venues near a place.",
    "List venues with distances.",
  ),
  "skills/find-venues/SKILL.eval.json": JSON.stringify({
    skill_name: "find-venues",
    test_args: '"Cupertino, CA" --count 5',
    assertions: [{ id: "miles", type: "contains", needle: "miles" }],
    grading_criteria: [{ id: "distance_match", criterion: "Are all venues within the specified distance?" }],
  }),
  "old.txt": "The report has numbers.\n",
  "new.txt": "The report has 6 rows and a total of 420: all pages of both files.\n",
  "labels.yaml":
    "outputs:\n  - text: The nearest venue is 4 miles away.\n    labels: { distance_match: true }\n",
  "agent.sh": "#!/bin/sh\necho 'One file has all pages of both'\n",
  "session.txt":
    "User: Merge a.pdf and c.pdf into out.pdf\nAssistant: Done, I wrote ac.pdf.\nUser: No, call it `out.pdf`\nAssistant: Renamed.\n",
  ".gitignore": ".assay/\n",
};

/** What the scripted model says there: agents, then judges. */
const RULES = [
  {
    when: { userText: ".pdf", offersTool: "bash", skillListed: "pdf" },
    steps: [[{ tool: "skill", input: { name: "pdf" } }], "One file has all pages of both, in that order."],
  },
  { when: { userText: ".pdf", offersTool: "bash" }, reply: "I joined them, more or less." },
  { when: { userText: "Cupertino", offersTool: "bash" }, reply: "1. The Barn, 3 miles away." },
  { when: { structured: true, anywhere: "output 2]]" }, reply: { json: comparisonReplyOf(4, 4) } },
  {
    when: { structured: true, anywhere: "all pages of both" },
    reply: {
      verdicts: [
        {
          criterion: "all pages of both",
          quote: "One file has all pages of both, in that order",
          source: "output",
        },
      ],
    },
  },
  {
    when: { structured: true, anywhere: "specified distance" },
    reply: { verdicts: [{ criterion: "specified distance", quote: "miles away", source: "output" }] },
  },
];

export async function docsProject(): Promise<TempTree> {
  const tree = await tempTree(FILES);
  await cp(EXAMPLES, tree.path("examples"), { recursive: true });
  await cp(tree.path("skills/pdf"), tree.path("skills/pdf-v1"), { recursive: true });
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Docs", "-c", "user.email=docs@example.invalid", ...words], {
      cwd: tree.root,
      env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
      stdio: "pipe",
    });
  const edited = (words: string) => writeFile(tree.path("skills/pdf/SKILL.md"), `${PDF}\n${words}\n`);
  await writeFile(tree.path("skills/pdf-v1/SKILL.md"), PDF.replace("order", "number"));
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "First version");
  git("tag", "v1.0");
  await edited("Number the pages.");
  git("commit", "-qam", "Number the pages");
  git("update-ref", "refs/remotes/origin/main", "v1.0");
  await edited("Number the pages from 1.");
  return tree;
}

/** The script of the model server, as text: the demo's csv-report, and what the project needs. */
export async function docsScript(): Promise<string> {
  const demo = parse(await readFile(join(EXAMPLES, "demo", "csv-report.model.yaml"), "utf8")) as {
    rules: readonly unknown[];
    replies: readonly unknown[];
  };
  return JSON.stringify({ ...demo, rules: [...RULES, ...demo.rules] });
}
