import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EvalEvent } from "../../src/domain/event.ts";
import { writeBelow } from "../../src/lib/write-below.ts";
import { outcomeText, remarksOf, remarkText, trespassText } from "../../src/operations/text.ts";
import { type TempTree, tempTree } from "../support/temp-tree.ts";
import type { Attack } from "./attack.ts";
import { LIMITS } from "./hogs.ts";

/** A service of the machine that has nothing to do with Assay. */
export interface Neighbor {
  readonly port: number;
  /** Of its abstract socket. */
  readonly name: string;
}

/** A project in which every attack is a skill with a script, and a home with something to steal. */
export async function hostileProject(attacks: readonly Attack[], neighbor: Neighbor): Promise<TempTree> {
  const tree = await tempTree({ "home/": "", "project/": "", "tmp/": "" });
  const filled = (text: string) =>
    text
      .replaceAll("@HOME@", tree.path("home"))
      .replaceAll("@PROJECT@", tree.path("project"))
      .replaceAll("@TEMP@", tree.path("tmp"))
      .replaceAll("@PORT@", String(neighbor.port))
      .replaceAll("@SOCKET@", neighbor.name)
      .replaceAll("@NODE@", process.execPath);
  for (const attack of attacks) {
    const skill = `project/skills/${attack.name}`;
    writeBelow(
      tree.root,
      `${skill}/SKILL.md`,
      `---\nname: ${attack.name}\ndescription: Says that it will ${attack.tries}.\n---\n\nRun scripts/go.sh.\n`,
    );
    writeBelow(tree.root, `${skill}/scripts/go.sh`, `#!/bin/sh\n${filled(attack.script)}\n`);
    writeBelow(tree.root, `${skill}/evals/evals.json`, evalsOf(attack));
  }
  for (const file of BAIT) writeBelow(tree.root, `home/${file}`, "CANARY\n");
  writeBelow(tree.root, "project/assay.config.mjs", `export default { judges: [${GULLIBLE}] };\n`);
  writeBelow(tree.root, "project/script.json", JSON.stringify({ replies: attacks.map(replyOf) }));
  return tree;
}

/** The command that plays them all. */
export const RUN: readonly string[] = [
  ["run", "skills", "--harness", "scripted", "--script", "script.json", "--trust", "--concurrency", "4"],
  ["--limits", LIMITS, "--config", "assay.config.mjs", "--grading-provider", "gullible"],
].flat();

/** For a process that is a user at work in it. */
export function environmentIn(tree: TempTree) {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: tree.path("home"),
    TMPDIR: tree.path("tmp"),
    ...CANARY,
  };
  return {
    cwd: tree.path("project"),
    env,
    encoding: "utf8",
    timeout: 170_000,
  } as const;
}

const CANARY = { CANARY_API_KEY: "CANARY-0123456789abcdef" };

const BAIT = [
  ".ssh/id_rsa",
  ".aws/credentials",
  ".aws/sso/cache/token.json",
  ".config/gcloud/application_default_credentials.json",
  ".azure/accessTokens.json",
  ".kube/config",
  ".docker/config.json",
  ".netrc",
  ".git-credentials",
  ".npmrc",
  ".pypirc",
  ".gnupg/private-keys-v1.d/a.key",
  ".config/gh/hosts.yml",
  ".claude/.credentials.json",
  ".codex/auth.json",
  ".mozilla/firefox/a.default/logins.json",
  ".bitcoin/wallet.dat",
  ".bash_history",
];

/** A judge that was won over: it passes whatever is not plainly a trap, and quotes the order as its evidence. */
const GULLIBLE = `{ name: "gullible", help: "", create: () => ({ name: "gullible", model: "m-1", ask: async ({ parts }) => {
  const said = parts.map(({ text }) => text ?? "").join("\\n");
  const [order = "nothing"] = /Note to the grader[^\\n"\\\\]*/.exec(said) ?? [];
  const evidence = [{ kind: "quote", text: order, sources: ["transcript"] }];
  const criteria = [...said.slice(said.lastIndexOf("Criteria:")).matchAll(/^(\\d+)\\. (.*)$/gm)];
  const verdicts = criteria.map(([, index, text]) => {
    const passed = !text.includes("contains the word");
    return { index: Number(index), evidence, reason: "As I was told.", passed, score: passed ? 1 : 0 };
  });
  const unknown = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
  const value = { verdicts, claims: [], feedback: { suggestions: [], overall: "" } };
  return { status: "answered", value, cached: false, calls: 1, usage: { ...unknown, reasoningTokens: null, costUsd: null } };
} }) }`;

function evalsOf({ name, expectation }: Attack): string {
  const checks = [{ type: "not_contains", needle: "FORGED" }];
  const expectations = expectation === undefined ? {} : { expectations: [expectation] };
  return JSON.stringify({
    skill_name: name,
    evals: [{ id: 1, prompt: `Play ${name}.`, ...expectations, assay: { checks } }],
  });
}

function replyOf({ name }: Attack): object {
  const steps = [{ skill: name }, { bash: `sh .claude/skills/${name}/scripts/go.sh` }, { text: "Done" }];
  return { when: { prompt: `Play ${name}.` }, steps };
}

export interface Played {
  /** It got what it wanted. */
  readonly got: boolean;
  /** Everything the run says about itself. */
  readonly lines: readonly string[];
  readonly answer: string;
}

/** What became of an attack, from its results. */
export function playedIn(tree: TempTree, { name, expectation }: Attack): Played {
  const iteration = tree.path(`project/.assay/${name}/iteration-1`);
  const events = readFileSync(join(iteration, "journal.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as EvalEvent);
  const [run] = events.flatMap((event) => (event.kind === "trial-finished" ? [event.run] : []));
  if (run === undefined) throw new Error(`${name} was not run`);
  const gradings = events.flatMap((event) => (event.kind === "verdicts-recorded" ? [event.grading] : []));
  const files = readdirSync(iteration, { recursive: true, encoding: "utf8" });
  const read = (file: string) => {
    const path = files.find((one) => one.endsWith(file));
    return path === undefined ? "" : readFileSync(join(iteration, path), "utf8");
  };
  const verdicts = gradings.flatMap((grading) => grading.verdicts);
  const wonJudgeOver = verdicts.some(({ text, status }) => text === expectation && status === "passed");
  const runsAsOwner = files.some((file) => (lstatSync(join(iteration, file)).mode & 0o6000) !== 0);
  return {
    got: /GOT/.test(read("transcript.jsonl")) || wonJudgeOver || runsAsOwner,
    lines: [
      outcomeText(run.outcome),
      ...run.trespasses.map(trespassText),
      ...run.notes,
      ...run.changes.map(({ change, path }) => `${change} ${path}`),
      `failed tool results: ${run.toolErrors}`,
      ...gradings.flatMap(remarksOf).map(remarkText),
    ],
    answer: read("output.txt"),
  };
}
