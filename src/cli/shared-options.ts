import { Argument, Option } from "commander";

export function targetsArgument(): Argument {
  return new Argument(
    "[target...]",
    "skill, SKILL.md, eval file, evals directory, Skillet name, or a directory with skills in it (default: here)",
  );
}

export function configOption(): Option {
  return new Option("--config <file>", "settings (default: assay.config.json or .yaml of the project)");
}
