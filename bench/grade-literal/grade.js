// Grades one output with one group of checks and prints the least processor time of three and the process's peak memory.
import { statSync } from "node:fs";
import { peakMegabytes } from "../peak-memory.js";
import { codeGraders, gradeRun } from "../../node_modules/.cache/assay-bench/parts.js";

const [path, name] = process.argv.slice(2);

const claims = {
  contains: needles("contains", false),
  not_contains: needles("not_contains", false),
  "ignoring case": needles("contains", true),
  lengths: [
    { kind: "min_length", length: 1 },
    { kind: "max_length", length: 1 },
  ],
  ends: [
    { kind: "starts_with", needle: "The quick", ignoreCase: true },
    { kind: "ends_with", needle: "never written", ignoreCase: true },
  ],
};

function needles(kind, ignoreCase) {
  return ["never written", "plutôt jamais", "\nThe slow brown"].map((needle) => ({
    kind,
    needle,
    ignoreCase,
  }));
}

const head = { layer: "L1", text: "", appliesTo: "every-variant", origin: null };
const checks = claims[name].map((claim, index) => Object.assign({ id: `c${index}` }, head, claim));
const subject = {
  case: { id: "case", overlays: [], checks },
  trial: { id: "case/with_skill/run-1", variant: "with_skill" },
  run: { outcome: { status: "completed" }, activations: [], changes: [] },
  skill: null,
  output: { status: "present", path, bytes: statSync(path).size },
  async *transcript() {},
  files: [],
};

const graders = codeGraders({ network: "off" });
let seconds = Infinity;
for (let round = 0; round < 3; round++) {
  const before = process.cpuUsage();
  const { verdicts } = await gradeRun(
    subject,
    { graders, now: () => new Date() },
    new AbortController().signal,
  );
  const { user, system } = process.cpuUsage(before);
  seconds = Math.min(seconds, (user + system) / 1e6);
  if (verdicts.some((verdict) => verdict.status === "unscored")) throw new Error(JSON.stringify(verdicts));
}
console.log(JSON.stringify({ seconds, peakMegabytes: peakMegabytes() }));
