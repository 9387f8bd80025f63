import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ASSAY } from "./timing.js";

const CASES = 100;
const EXPECTATIONS = 20;
const ROUNDS = 3;

export default {
  what: `grading ${CASES} stored runs of ${EXPECTATIONS} expectations again from remembered answers, as a command`,
  async measure({ startSim, parseScript }) {
    const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
    // Whatever the script does not speak of fails on an absence, so every expectation is scored.
    const judge = {
      verdicts: [{ criterion: "expectation 1 ", quote: "Hello, and welcome.", source: "output" }],
    };
    const sim = await startSim(parseScript(JSON.stringify({ rules: [{ reply: judge }] })));
    try {
      write(folder);
      const env = {
        PATH: "/usr/bin:/bin",
        HOME: folder,
        ANTHROPIC_BASE_URL: sim.url,
        ANTHROPIC_API_KEY: "not-a-real-key",
      };
      const run = ["run", "skills/greeter", "--harness", "scripted", "--script", "script.json"];
      await assay([...run, "--sandbox", "none"], { folder, env });
      const asked = sim.requests.length;
      let best = Infinity;
      for (let round = 0; round < ROUNDS; round++) {
        best = Math.min(best, await assay(["grade"], { folder, env }));
      }
      const { verdicts, gradings } = recorded(folder);
      if (gradings !== CASES * (ROUNDS + 1)) throw new Error(`${gradings} gradings were recorded`);
      const speed = verdicts / best;
      const calls = sim.requests.length - asked;
      return [
        { label: "questions in the first grading", value: asked },
        {
          label: "verdicts per processor second, start of the command and every artifact included",
          value: `${Math.round(speed)} (${verdicts} in ${best.toFixed(2)} s)`,
          bar: ">= 1000",
          met: verdicts === CASES * EXPECTATIONS && speed >= 1000,
        },
        { label: "questions in the later gradings", value: calls, bar: "0", met: calls === 0 },
      ];
    } finally {
      await sim.close();
      rmSync(folder, { recursive: true });
    }
  },
};

function write(folder) {
  const evals = Array.from({ length: CASES }, (_, index) => ({
    id: index + 1,
    prompt: `Greet person number ${index + 1}`,
    expectations: Array.from({ length: EXPECTATIONS }, (_, n) => `expectation ${n + 1} holds`),
  }));
  const files = {
    "assay.config.json": "{}",
    "script.json": JSON.stringify({ replies: [{ steps: [{ text: "Hello, and welcome." }] }] }),
    "skills/greeter/SKILL.md": "---\nname: greeter\ndescription: Greets people.\n---\n\nSay hello.\n",
    "skills/greeter/evals/evals.json": JSON.stringify({ skill_name: "greeter", evals }),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Says at its end what the processor did for it. */
const COUNTING = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stderr.write(`\\ncpu ${user + system}`); })',
)}`;

/** Processor seconds. Not spawnSync: the judge answers in this process. */
function assay(args, { folder, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", COUNTING, ASSAY, ...args], {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      const micros = /\ncpu (\d+)$/.exec(stderr)?.[1];
      if (code === 1 && micros !== undefined) resolve(Number(micros) / 1e6);
      else reject(new Error(`assay ${args[0]} ended with ${code}: ${stderr.slice(-2000)}`));
    });
  });
}

/** All gradings there are, and the scored verdicts of the newest of each run. */
function recorded(folder) {
  const journal = readFileSync(join(folder, ".assay/greeter/iteration-1/journal.jsonl"), "utf8");
  const events = journal
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const graded = events.filter(({ kind }) => kind === "verdicts-recorded");
  const newest = new Map(graded.map(({ trial, grading }) => [trial.id, grading.verdicts]));
  const scored = [...newest.values()].flat().filter(({ status }) => status !== "unscored");
  return { verdicts: scored.length, gradings: graded.length };
}
