import { readFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EvalEvent } from "../../src/domain/event.ts";
import type { Json } from "../../src/domain/json.ts";
import { parseScript } from "../../src/gateway/sim/read-script.ts";
import { startSim } from "../../src/gateway/sim/server.ts";
import type { TriggersFile } from "../../src/store/write/triggers.ts";
import { assay } from "../support/command-line.ts";
import { tempTree } from "../support/temp-tree.ts";
import { claude, codexClient, laterClaude, type PinnedClient } from "./support/clients.ts";
import { playTrial, SKILL } from "./support/trial-kit.ts";

/** The name that the listing of this very probe gives to the skill. */
const PROBE = { tool: "skill", input: { name: "{{request /(hex-greeter-[0-9a-f]{8})/}}", args: "Ada" } };
const RIVAL = { tool: "skill", input: { name: "adder", args: "1" } };
/** Would be asked for if nobody stopped the client. */
const TAIL = "This should never have been asked for.";

/** What the model does on each query, response by response. */
const FIRES: Readonly<Record<string, readonly Json[]>> = {
  "after text": [["Let me see what there is.", PROBE], TAIL],
  "after thinking": [[{ thinking: "There is a skill for this." }, PROBE], TAIL],
  "after a command": [[{ tool: "bash", input: { command: "ls" } }], [PROBE], TAIL],
  "after a data file": [[{ tool: "read", input: { path: "{{cwd}}/README.md" } }], [PROBE], TAIL],
  "after another skill": [[RIVAL], [PROBE], TAIL],
  "at once": [[PROBE], TAIL],
};
const SILENT: Readonly<Record<string, readonly Json[]>> = {
  "never, with words": ["I know about hex-greeter, but do not need it."],
  "never, with work": [[{ tool: "bash", input: { command: "echo hex-greeter" } }], "Done."],
  "never, with another skill": [[RIVAL], "Done."],
};

interface Played {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
  readonly file: TriggersFile;
  readonly journal: readonly EvalEvent[];
  /** Requests that the script was not made for. */
  readonly unmatched: number;
}

interface Scene {
  readonly client: PinnedClient;
  readonly fires?: Readonly<Record<string, readonly Json[]>>;
  readonly silent?: Readonly<Record<string, readonly Json[]>>;
  readonly canary?: readonly Json[];
  readonly args?: readonly string[];
}

/** The run command over a project with two skills, with a scripted model behind the real client. */
async function play({
  client,
  fires = {},
  silent = {},
  canary = [[PROBE], TAIL],
  args = [],
}: Scene): Promise<Played> {
  const rules = Object.entries({ ...fires, ...silent, "Use the skill": canary }).map(([userText, steps]) => ({
    when: { userText },
    steps,
  }));
  const sim = await startSim(parseScript(JSON.stringify({ rules })));
  onTestFinished(() => sim.close());
  const queries = [
    ...Object.keys(fires).map((query) => ({ query, should_trigger: true })),
    ...Object.keys(silent).map((query) => ({ query, should_trigger: false })),
  ];
  await using tree = await tempTree({
    "assay.config.json": "{}",
    "README.md": "# A project\n",
    "skills/hex-greeter/SKILL.md": `---\nname: hex-greeter\ndescription: Greets people in hexadecimal.\n---\nGreet.\n`,
    "skills/hex-greeter/evals/trigger-eval.json": JSON.stringify(queries),
    "skills/adder/SKILL.md": "---\nname: adder\ndescription: Adds numbers.\n---\nAdd.\n",
  });
  const isClaude = client.harness.name === "claude-code";
  const { exitCode, out, err } = await assay(
    [
      "run",
      "skills/hex-greeter",
      `--harness=${client.harness.name}`,
      "--timeout=60",
      "--rivals",
      ...(isClaude ? [] : ["--model", "gpt-5.5"]),
      ...args,
    ],
    {
      cwd: tree.root,
      env: isClaude
        ? { ASSAY_CLAUDE: client.program, ANTHROPIC_BASE_URL: sim.url, ANTHROPIC_API_KEY: "fake-key-1234" }
        : { ASSAY_CODEX: client.program, OPENAI_BASE_URL: `${sim.url}/v1`, OPENAI_API_KEY: "fake-key-1234" },
    },
  );
  if (exitCode === 2) throw new Error(err);
  const folder = ".assay/hex-greeter/iteration-1";
  const read = (name: string) => readFile(tree.path(`${folder}/${name}`), "utf8");
  return {
    exitCode,
    out,
    err,
    file: JSON.parse(await read("triggers.json")) as TriggersFile,
    journal: (await read("journal.jsonl"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as EvalEvent),
    unmatched: sim.unmatched.length,
  };
}

function rates({ file }: Played): Record<string, string> {
  return Object.fromEntries(file.results.map(({ query, triggers, runs }) => [query, `${triggers}/${runs}`]));
}

const all = (queries: object, rate: string) =>
  Object.fromEntries(Object.keys(queries).map((query) => [query, rate]));

for (const client of [await claude(), await laterClaude(), await codexClient()]) {
  const { harness, version, installed } = client;
  describe.skipIf(!installed)(`triggers on ${harness.name} ${version}`, () => {
    it("sees the skill fire whatever comes first, and never where it does not", async () => {
      const played = await play({ client, fires: FIRES, silent: SILENT, args: ["--runs", "2"] });
      expect(rates(played)).toEqual({ ...all(FIRES, "2/2"), ...all(SILENT, "0/2") });
      expect(played.file).toMatchObject({
        validity: { status: "valid" },
        canary: { status: "fired" },
        summary: { passed: 9, failed: 0, unscored: 0, recall: { rate: 1 }, precision: { rate: 1 } },
      });
      const others = Object.fromEntries(
        played.file.results.map(({ query, other_skills }) => [query, other_skills]),
      );
      expect(others["after another skill"]).toEqual({ adder: 2 });
      expect(others["never, with another skill"]).toEqual({ adder: 2 });
      expect(played.exitCode).toBe(0);
      expect(played.unmatched).toBe(0);
    });

    it("keeps ten probes of one query apart", async () => {
      const fires = { "at once": FIRES["at once"] ?? [] };
      const played = await play({ client, fires, args: ["--runs", "10", "--concurrency", "10"] });
      expect(rates(played)).toEqual({ "at once": "10/10" });
      const finished = played.journal.filter((event) => event.kind === "trial-finished");
      const offered = finished.map(({ run }) => run.skillsOffered?.filter((name) => name.startsWith("hex-")));
      for (const names of offered) expect(names).toHaveLength(1);
      expect(new Set(offered.flat()).size).toBe(12);
    });

    it("sees it in a second turn", async () => {
      const { run } = await playTrial({
        harness,
        acts: [[{ say: "Hello. Who?" }], [{ skill: "hex-greeter-01234567" }, { say: TAIL }]],
        case: { kind: "trigger" },
        options: { stopOnSkill: "hex-greeter-01234567" },
        request: { skillName: "hex-greeter-01234567" },
      });
      expect(run.outcome).toEqual({ status: "completed" });
      expect(run.activations.map(({ skill }) => skill)).toEqual(["hex-greeter-01234567"]);
      expect(run.skillsOffered ?? []).not.toContain(SKILL);
    });

    it.skipIf(harness.name !== "claude-code")(
      "counts a call that the client refuses: the model did choose the skill",
      async () => {
        const probe = "hex-greeter-01234567";
        const refused = (stopOnSkill: string | null) =>
          playTrial({
            harness,
            acts: [[{ skill: probe }, { say: "I may not." }]],
            case: { kind: "trigger" },
            options: { stopOnSkill, permissionMode: "default" },
            request: { skillName: probe },
            project: {
              [`skills/${SKILL}/SKILL.md`]: `---\nname: ${SKILL}\ndescription: Greets.\nallowed-tools: Bash\n---\nGreet.\n`,
            },
          });
        const toTheEnd = await refused(null);
        expect(toTheEnd.run.denials).toMatchObject([{ tool: "Skill" }]);
        const { run } = await refused(probe);
        expect(run.outcome).toEqual({ status: "completed" });
        expect(run.activations).toMatchObject([{ skill: probe, by: "tool" }]);
      },
    );

    it("sees it fire where the client allows little", async () => {
      const isClaude = harness.name === "claude-code";
      const played = await play({
        client,
        fires: { "at once": FIRES["at once"] ?? [] },
        args: isClaude
          ? ["--runs", "1", "--permission-mode", "default"]
          : ["--runs", "1", "--permission-mode", "read-only", "--sandbox", "none"],
      });
      expect(rates(played)).toEqual({ "at once": "1/1" });
      expect(played.exitCode).toBe(0);
    });

    it("is invalid where the model never takes the skill up, even asked by name", async () => {
      const played = await play({
        client,
        silent: SILENT,
        canary: ["I would rather not."],
        args: ["--runs", "1"],
      });
      expect(played.exitCode).toBe(3);
      expect(played.file.canary.status).toBe("silent");
      expect(played.out).toContain("ALARM: the trigger result is invalid");
    });
  });
}
