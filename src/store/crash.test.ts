import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mounted } from "../../test/support/mounted.ts";
import { secretMask } from "../lib/secret-mask.ts";
import { sampleTrial } from "./fixtures/samples.ts";
import { openIteration, readIteration } from "./iteration.ts";
import { trialRef } from "./journal.ts";
import { iterationFolder } from "./layout.ts";
import { remainingTrials } from "./state.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const TRIALS = 1500;
const trials = Array.from({ length: TRIALS }, (_, i) => sampleTrial({ repetition: i + 1, key: `k${i + 1}` }));

/**
 * A runner in a process of its own: takes the iteration up, runs what is left, four trials at a time, and says
 * `committed <trial>` for each only after the journal did.
 */
const RUNNER = `
import { openIteration } from ${JSON.stringify(join(HERE, "iteration.ts"))};
import { iterationFolder } from ${JSON.stringify(join(HERE, "layout.ts"))};
import { remainingTrials } from ${JSON.stringify(join(HERE, "state.ts"))};
import { at, finished, sampleIteration, sampleTrial } from ${JSON.stringify(join(HERE, "fixtures", "samples.ts"))};
import { secretMask } from ${JSON.stringify(join(HERE, "..", "lib", "secret-mask.ts"))};
import { writeSync } from "node:fs";
try {
  const trials = Array.from({ length: ${TRIALS} }, (_, i) => sampleTrial({ repetition: i + 1, key: "k" + (i + 1) }));
  const open = await openIteration(iterationFolder(process.argv[2]), secretMask([]));
  await open.append(at({ kind: "iteration-started", iteration: sampleIteration(), cases: [], trials, resumed: false }));
  const left = [...remainingTrials(trials, open.earlier)];
  const padding = "x".repeat(Number(process.argv[3] ?? 0));
  writeSync(1, "ready\\n");
  await Promise.all([1, 2, 3, 4].map(async () => {
    for (let trial = left.shift(); trial !== undefined; trial = left.shift()) {
      await open.append(at({ kind: "trial-started", trial, attempt: 1 }));
      await open.append(finished(trial, { notes: [padding] }));
      writeSync(1, "committed " + trial.id + "\\n");
    }
  }));
  await open[Symbol.asyncDispose]();
  writeSync(1, "done\\n");
} catch (error) {
  writeSync(1, "failed " + error.name + " " + error.code + " " + error.message + "\\n");
  process.exitCode = 2;
}
`;

let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crash-"));
  const source = join(folder, "runner.ts");
  program = join(folder, "runner.mjs");
  await writeFile(source, RUNNER);
  await build({
    input: source,
    platform: "node",
    output: { file: program, format: "esm" },
    logLevel: "silent",
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(root: string, padding = 0) {
  const child = spawn(process.execPath, [program, root, String(padding)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return {
    child,
    said: () =>
      text
        .slice(0, text.lastIndexOf("\n") + 1)
        .split("\n")
        .filter(Boolean),
  };
}

async function until(runner: ReturnType<typeof run>, condition: (said: string[]) => boolean): Promise<void> {
  while (!condition(runner.said())) {
    const gone = runner.child.exitCode !== null || runner.child.signalCode !== null;
    if (gone) throw new Error(`the runner ended: ${runner.said().slice(-3).join("; ")}`);
    await once(runner.child.stdout, "data");
  }
}

async function killed(runner: ReturnType<typeof run>): Promise<void> {
  const closed = once(runner.child, "close");
  runner.child.kill("SIGKILL");
  await closed;
}

describe("a runner killed with -9", () => {
  it("loses nothing it committed, and the next one goes on without a repetition", async () => {
    const root = join(folder, "killed");
    await mkdir(root);
    const committed = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const runner = run(root, (round % 4) * 3000);
      const enough = Math.floor(Math.random() * 40);
      await until(runner, (said) => said.length > enough || said.includes("done"));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
      await killed(runner);
      for (const line of runner.said()) {
        if (!line.startsWith("committed ")) continue;
        const id = line.slice("committed ".length);
        expect(committed.has(id), `${id} ran twice`).toBe(false);
        committed.add(id);
      }
      const { state, diagnostics } = await readIteration(iterationFolder(root));
      expect(diagnostics).toEqual([]);
      const lost = [...committed].filter((id) => !state.runs.has(id));
      expect(lost).toEqual([]);
      for (const id of state.runs.keys()) committed.add(id);
      expect(remainingTrials(trials, state)).toHaveLength(TRIALS - state.runs.size);
    }
    expect(committed.size).toBeGreaterThan(100);
  }, 60_000);

  it("leaves every prefix of its journal readable, wherever it was cut", async () => {
    const root = join(folder, "prefixes");
    await mkdir(root);
    const runner = run(root, 40);
    await until(runner, (said) => said.length > 6);
    await killed(runner);
    const whole = await readFile(join(root, "journal.jsonl"));
    const firstLine = whole.indexOf(0x0a) + 1;
    const cutRoot = join(folder, "cut");
    await mkdir(cutRoot);
    let before = 0;
    for (let cut = firstLine; cut < Math.min(whole.length, firstLine + 6000); cut += 29) {
      await writeFile(join(cutRoot, "journal.jsonl"), whole.subarray(0, cut));
      const { state, diagnostics } = await readIteration(iterationFolder(cutRoot));
      expect(diagnostics).toEqual([]);
      expect(state.committed.size).toBeGreaterThanOrEqual(before);
      before = state.committed.size;
    }
    expect(before).toBeGreaterThan(2);
  });
});

describe("two runners on one folder", () => {
  it("the second is refused and told who is there; after a kill it may take over", async () => {
    const root = join(folder, "two");
    await mkdir(root);
    const first = run(root);
    await until(first, (said) => said.length > 3);
    const folderOf = iterationFolder(root);
    await expect(openIteration(folderOf, secretMask([]))).rejects.toMatchObject({
      name: "UserError",
      code: "store/locked",
      message: expect.stringContaining(`process ${first.child.pid}`),
      hint: expect.stringContaining(folderOf.lock),
    });
    await killed(first);
    await using second = await openIteration(folderOf, secretMask([]));
    expect(second.earlier.committed.has(trialRef(trials[0]!))).toBe(true);
  });
});

describe("a full disk", () => {
  it("is a clear error; what was committed stays, and with space it goes on", async ({ skip }) => {
    using disk = mounted("size=1m") ?? skip("a small file system cannot be mounted here");
    const { root } = disk;
    const full = run(root, 3000);
    await once(full.child, "close");
    const committed = full.said().filter((line) => line.startsWith("committed "));
    expect(full.said()).toContainEqual(
      expect.stringMatching(
        /^failed UserError store\/disk-full the disk is full: .*journal\.jsonl could not be written/,
      ),
    );
    const { state, diagnostics } = await readIteration(iterationFolder(root));
    expect(diagnostics).toEqual([]);
    expect(committed.filter((line) => !state.runs.has(line.slice("committed ".length)))).toEqual([]);
    disk.remount("size=200m");
    await using resumed = await openIteration(iterationFolder(root), secretMask([]));
    expect(resumed.earlier.committed.size).toBe(state.committed.size);
    expect(committed.length).toBeGreaterThan(10);
  });
});
