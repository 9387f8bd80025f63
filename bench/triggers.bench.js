import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ASSAY, ratio } from "./timing.js";

const TAIL_SECONDS = 4;
const PROBES = 64;

/** Takes up the skill, or one that nobody waits for, and then goes on as agents do. */
const AGENT = `#!/bin/bash
query=$(cat)
case "$query" in
  *waits*) name=other ;;
  *) name="$ASSAY_SKILL" ;;
esac
echo '{"type":"session","skills":["'"$ASSAY_SKILL"'"]}'
echo '{"type":"skill","name":"'"$name"'","by":"tool"}'
case "$query" in *tail*) sleep ${TAIL_SECONDS} ;; esac
`;

export default {
  what: `trigger probes with a stand-in: stopped at activation against a tail of ${TAIL_SECONDS} s, and how many in a minute`,
  measure() {
    const tail = inProject(["a tail", "a tail that nobody waits for"], (folder) => {
      assay(folder, ["--runs", "4", "--concurrency", "8"]);
      const runs = probes(folder);
      const median = (query) =>
        middle(runs.filter(({ query: asked }) => asked === query).map(({ ms }) => ms));
      return { stopped: median("a tail"), whole: median("a tail that nobody waits for") };
    });
    const perMinute = inProject(["quick"], (folder) => {
      const started = performance.now();
      assay(folder, ["--runs", String(PROBES), "--concurrency", "8"]);
      return (probes(folder).length / (performance.now() - started)) * 60_000;
    });
    return [
      {
        label: "median probe, stopped at activation against the whole run",
        ...ratio(tail.stopped, tail.whole, 0.25),
      },
      {
        label: `probes per minute at concurrency 8, start of the command included`,
        value: Math.round(perMinute),
        bar: ">= 500",
        met: perMinute >= 500,
      },
    ];
  },
};

function inProject(queries, measure) {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const write = (name, text, mode) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode });
  };
  try {
    write("assay.config.json", "{}");
    write("agent.sh", AGENT, 0o755);
    write(
      "skills/greeter/SKILL.md",
      "---\nname: greeter\ndescription: Greets people by name.\n---\n\nSay hello.\n",
    );
    const set = queries.map((query) => ({ query, should_trigger: !query.includes("nobody") }));
    write("skills/greeter/evals/trigger-eval.json", JSON.stringify(set));
    return measure(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function assay(folder, args) {
  const command = [
    "run",
    "skills/greeter",
    "--harness",
    "command",
    "--command",
    join(folder, "agent.sh"),
    ...args,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [ASSAY, ...command], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0)
    throw new Error(`assay ended with ${status}: ${stdout.slice(-500)} ${stderr.slice(-500)}`);
}

function probes(folder) {
  const text = readFileSync(join(folder, ".assay/greeter/iteration-1/journal.jsonl"), "utf8");
  const events = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const queryOf = new Map(events[0].cases.map(({ id, prompt }) => [id, prompt.turns[0]]));
  return events
    .filter(({ kind }) => kind === "trial-finished")
    .map(({ trial, run }) => ({ query: queryOf.get(trial.caseId), ms: run.durationMs }));
}

function middle(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
