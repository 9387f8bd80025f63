import { fileURLToPath } from "node:url";
import { ASSAY, ratio, timed } from "./timing.js";

const EVAL_FILE = fileURLToPath(new URL("../examples/release-notes/SKILL.eval.json", import.meta.url));
const ROUNDS = 30;

export default {
  what: `cold start against bare Node, ${ROUNDS} times each, in turns`,
  measure() {
    const node = process.execPath;
    const [bare, version, help, check] = timed(
      [
        [node, "-e", "0"],
        [node, ASSAY, "--version"],
        [node, ASSAY, "--help"],
        [node, ASSAY, "check", EVAL_FILE],
      ],
      ROUNDS,
    );
    return [
      { label: "--version", ...ratio(version, bare, 1.15) },
      { label: "--help", ...ratio(help, bare, 1.15) },
      { label: "check of one file", ...ratio(check, bare, 2) },
    ];
  },
};
