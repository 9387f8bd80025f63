// Runs every benchmark, or those named on the command line, and fails when a bar is missed.
// Each bar is a ratio or a figure measured beside its floor in the same run; see the file of each benchmark.
import { readdirSync } from "node:fs";

const names = readdirSync(new URL(".", import.meta.url))
  .filter((name) => name.endsWith(".bench.js"))
  .map((name) => name.replace(".bench.js", ""));
const wanted = process.argv.slice(2);

let missed = 0;
for (const name of wanted.length > 0 ? wanted : names) {
  const { default: bench } = await import(`./${name}.bench.js`);
  console.log(`\n${name}: ${bench.what}`);
  const rows = await bench.measure();
  for (const { label, value, bar, met } of rows) {
    if (met === false) missed++;
    console.log(`  ${met === false ? "MISSED" : "ok    "}  ${label}: ${value}${bar === undefined ? "" : ` (bar: ${bar})`}`);
  }
}
if (missed > 0) {
  console.log(`\n${missed} bar(s) missed`);
  process.exitCode = 1;
}
