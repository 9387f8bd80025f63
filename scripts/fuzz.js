import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

// Tries mutated eval files, replies of judges, streams of clients and journals: `--all` for a hundred thousand of each.
const { values } = parseArgs({
  options: { all: { type: "boolean" }, cases: { type: "string" }, seed: { type: "string" } },
});
const cases = values.cases ?? (values.all ? "100000" : "2000");
const seed = values.seed ?? String(1 + (Date.now() % 1_000_000));
console.log(`seed ${seed}, ${cases} of each kind`);
const { status } = spawnSync("npx", ["vitest", "run", "--project", "assay", "test/fuzz"], {
  stdio: "inherit",
  env: { ...process.env, ASSAY_FUZZ_CASES: cases, ASSAY_FUZZ_SEED: seed },
});
process.exitCode = status ?? 1;
