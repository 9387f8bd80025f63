// Runs every benchmark, or those named on the command line, and fails when a bar is missed.
// Each bar is a ratio or a figure measured beside its floor in the same run; see the file of each benchmark.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.js";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const names = readdirSync(here("."))
  .filter((name) => name.endsWith(".bench.js"))
  .map((name) => name.replace(".bench.js", ""));
const wanted = process.argv.slice(2);
const parts = await import(await bundle("parts.ts"));

let missed = 0;
for (const name of wanted.length > 0 ? wanted : names) {
  const { default: bench } = await import(`./${name}.bench.js`);
  console.log(`\n${name}: ${bench.what}`);
  for (const { label, value, bar, met } of await measured(bench)) {
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

/** One benchmark that breaks is one missed bar; the others are still measured. */
async function measured(bench) {
  try {
    return await bench.measure(parts);
  } catch (error) {
    return [{ label: "could not be measured", value: error.stack, met: false }];
  }
}
