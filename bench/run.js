// Runs every benchmark, or those named on the command line, and fails when a bar is missed.
// Each bar is a ratio or a figure measured beside its floor in the same run; see the file of each benchmark.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const names = readdirSync(here("."))
  .filter((name) => name.endsWith(".bench.js"))
  .map((name) => name.replace(".bench.js", ""));
const wanted = process.argv.slice(2);
const parts = await internals();

let missed = 0;
for (const name of wanted.length > 0 ? wanted : names) {
  const { default: bench } = await import(`./${name}.bench.js`);
  console.log(`\n${name}: ${bench.what}`);
  for (const { label, value, bar, met } of await bench.measure(parts)) {
    if (met === false) missed++;
    console.log(
      `  ${met === false ? "MISSED" : "ok    "}  ${label}: ${value}${bar === undefined ? "" : ` (bar: ${bar})`}`,
    );
  }
}
if (missed > 0) {
  console.log(`\n${missed} bar(s) missed`);
  process.exitCode = 1;
}

/** The parts that benchmarks measure on their own, built from source so that nothing must be public for their sake. */
async function internals() {
  const file = here("../node_modules/.cache/assay-bench/parts.js");
  await build({
    input: here("parts.ts"),
    platform: "node",
    resolve: { mainFields: ["module", "main"] },
    transform: { target: "node20.19" },
    output: { file, format: "esm", codeSplitting: false },
    logLevel: "warn",
  });
  return import(file);
}
