import { flag, text, texts } from "./kind.ts";
import { option, optionOr } from "./table.ts";

/** Which files an operation is about. */
export const TARGETS = {
  targets: optionOr(null, { kind: texts, otherwise: [] }, "what to look at (default: here)"),
  evals: option("--evals <path>", text, "use this eval file or directory instead of searching"),
  skill: option("--skill <path>", text, "test this skill instead of searching"),
  projectRoot: option(
    "--project-root <dir>",
    text,
    "project to copy for agents (default: found around the skill)",
    { blank: "refused" },
  ),
};

export const STRICT = {
  strict: optionOr("--strict", { kind: flag, otherwise: false }, "treat notes as errors"),
};

/** Where results are kept and looked for. */
export const PLACE = {
  workspace: option("--workspace <dir>", text, "where results go (default: .assay in your project)", {
    env: ["ASSAY_WORKSPACE"],
    config: "workspace",
  }),
};
