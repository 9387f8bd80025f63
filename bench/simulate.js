// Draws benchmarks whose truth is known and writes what the verdicts made of them to docs/design/verdicts.md.
// `--short` draws fewer and writes nothing. Fails when a gate cries wolf more often than 5 % and chance allow.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const short = process.argv.includes("--short");
const file = here("../node_modules/.cache/assay-bench/simulate.js");
await build({
  input: here("simulate/page.ts"),
  platform: "node",
  transform: { target: "node20.19" },
  output: { file, format: "esm", codeSplitting: false },
  logLevel: "warn",
});
const { simulate } = await import(file);
const { page, missed } = simulate(short ? 40 : 500, (text) => console.error(text));
console.log(page);
if (!short) writeFileSync(here("../docs/design/verdicts.md"), page);
for (const { what, cases, share } of missed)
  console.error(`MISSED  ${what} at ${cases} cases: ${(100 * share).toFixed(1)} % false alarms`);
if (missed.length > 0) process.exitCode = 1;
