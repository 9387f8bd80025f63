import { flag, text, texts } from "./kind.ts";
import { option, optionOr } from "./table.ts";

/** Which files an operation is about. */
export const TARGETS = {
  targets: optionOr(null, { kind: texts, otherwise: [] }, "what to look at (default: here)"),
  evals: option("--evals <path>", text, "use this eval file or directory instead of what would be found"),
  skill: option("--skill <path>", text, "test this skill instead of what would be found"),
  projectRoot: option(
    "--project-root <dir>",
    text,
    "the project that agents work in a copy of (default: found around the skill)",
  ),
};

export const STRICT = {
  strict: optionOr("--strict", { kind: flag, otherwise: false }, "treat notes as errors"),
};

/** Where results are kept and looked for. */
export const PLACE = {
  workspace: option(
    "--workspace <dir>",
    text,
    "where results are kept (default: .assay of the project you are in)",
    { env: ["ASSAY_WORKSPACE"], config: "workspace" },
  ),
};
