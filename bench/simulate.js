// Draws benchmarks whose truth is known and writes what the verdicts made of them to docs/design/verdicts.md.
// `--short` draws fewer and writes nothing. Fails when a gate cries wolf more often than 5 % and chance allow.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.js";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const short = process.argv.includes("--short");
const { simulate } = await import(await bundle("simulate/page.ts"));
const { page, missed } = simulate(short ? 40 : 500, (text) => console.error(text));
console.log(page);
if (!short) writeFileSync(here("../docs/design/verdicts.md"), `${page}${keptByHand()}`);
for (const { what, cases, share } of missed)
  console.error(`MISSED  ${what} at ${cases} cases: ${(100 * share).toFixed(1)} % false alarms`);
if (missed.length > 0) process.exitCode = 1;

/** What the page says beside the simulations, from this heading on. */
function keptByHand() {
  const text = readFileSync(here("../docs/design/verdicts.md"), "utf8");
  const at = text.indexOf("\n## Where each requirement is shown\n");
  return at < 0 ? "" : text.slice(at);
}
