// Runs something by its own means, and hands what it found to Assay: assay show, trend and view read it from there.
import { report } from "assay/node-test";

const comments = ["**suggestion** (non-blocking): read the file once.", "Looks slow."];
const rows = comments.map((output) => ({
  case: "slow loop",
  output,
  checks: [{ text: "starts with a label", pass: output.startsWith("**") }],
}));

const { summary } = await report(rows, { name: "by-hand" });
console.log(`${summary.suite}: ${summary.verdict}`);
