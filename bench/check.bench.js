import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ASSAY } from "./timing.js";

const FILES = 10_000;
const NOISY_FILES = 1_000;

export default {
  what: `assay check over ${FILES} generated specs of 4 KB, and over specs with more than 20 MB to say about`,
  measure() {
    const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
    try {
      return [...measureMany(folder), ...measureNoisy(folder)];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function measureMany(folder) {
  const skills = join(folder, "clean");
  generate(skills, FILES, goodSpec);
  const floor = secondsOf(() => {
    for (const name of readdirSync(skills)) {
      readFileSync(join(skills, name, "SKILL.md"), "utf8");
      JSON.parse(readFileSync(join(skills, name, "SKILL.eval.json"), "utf8"));
    }
  });
  const { status, seconds, peakMb, stdout } = check(folder, skills);
  if (status !== 0) throw new Error(`check ended with ${status}: ${stdout.slice(0, 500)}`);
  const perSecond = Math.round(FILES / seconds);
  return [
    {
      label: "files per second",
      value: `${perSecond} (reading and JSON.parse alone: ${Math.round(FILES / floor)})`,
      bar: ">= 400",
      met: perSecond >= 400,
    },
    { label: "peak memory", value: `${peakMb.toFixed(0)} MB`, bar: "< 250 MB", met: peakMb < 250 },
  ];
}

function measureNoisy(folder) {
  const skills = join(folder, "noisy");
  generate(skills, NOISY_FILES, noisySpec);
  const { status, peakMb, stdout } = check(folder, skills, "--json");
  if (status !== 2) throw new Error(`check of wrong specs ended with ${status}: ${stdout.slice(0, 500)}`);
  const megabytes = stdout.length / 1e6;
  const complete = JSON.parse(stdout).counts.files === 0;
  return [
    {
      label: "findings as JSON",
      value: `${megabytes.toFixed(0)} MB, ${complete ? "complete" : "CUT OFF"}`,
      bar: "> 20 MB, complete",
      met: megabytes > 20 && complete,
    },
    { label: "peak memory with that", value: `${peakMb.toFixed(0)} MB`, bar: "< 250 MB", met: peakMb < 250 },
  ];
}

function check(folder, target, ...options) {
  const reporter = join(folder, "peak.mjs");
  writeFileSync(
    reporter,
    `import { peakMegabytes } from ${JSON.stringify(new URL("peak-memory.js", import.meta.url).href)};
    process.on("exit", () => process.stderr.write(\`peak \${peakMegabytes()}\\n\`));`,
  );
  let outcome;
  const seconds = secondsOf(() => {
    outcome = spawnSync(process.execPath, ["--import", reporter, ASSAY, "check", target, ...options], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
  });
  const peakMb = Number(/peak ([\d.]+)/.exec(outcome.stderr)?.[1]);
  return { status: outcome.status, stdout: outcome.stdout, seconds, peakMb };
}

function secondsOf(action) {
  const started = performance.now();
  action();
  return (performance.now() - started) / 1000;
}

function generate(folder, count, spec) {
  for (let i = 0; i < count; i++) {
    const skill = join(folder, `skill-${i}`);
    mkdirSync(skill, { recursive: true });
    writeFileSync(
      join(skill, "SKILL.md"),
      `---\nname: skill-${i}\ndescription: Does thing number ${i} when asked for it.\n---\n\nDo it.\n`,
    );
    writeFileSync(join(skill, "SKILL.eval.json"), JSON.stringify(spec(`skill-${i}`), null, 1));
  }
}

function goodSpec(name) {
  return {
    skill_name: name,
    test_args: "--count 5",
    assertions: Array.from({ length: 20 }, (_, i) => ({
      id: `check_${i}`,
      type: "contains",
      needle: `needle ${i}`,
    })),
    grading_criteria: Array.from({ length: 20 }, (_, i) => ({
      id: `criterion_${i}`,
      criterion: `Statement number ${i}: the answer names the place, the price and the opening hours of what it suggests, in words.`,
    })),
  };
}

/** Every assertion has a key that is spelled wrong. */
function noisySpec(name) {
  return {
    skill_name: name,
    assertions: Array.from({ length: 80 }, (_, i) => ({
      id: `check_${i}`,
      type: "contains",
      nedle: `needle ${i}`,
    })),
  };
}
