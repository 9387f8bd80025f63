import { dirname, resolve } from "node:path";
import { UserError } from "../domain/user-error.ts";
import type { TestingOptions } from "../operations/testing.ts";

/** How tests run a skill. Whatever else an evaluation can be told, by the same names. */
export interface SkillTestOptions extends Omit<
  TestingOptions,
  "skill" | "file" | "harnesses" | "models" | "record" | "replay"
> {
  /** The agent; default: the one that is installed. */
  readonly harness?: string;
  readonly model?: string;
  /** What happens to a test that is replayed and was never recorded; default: it is skipped, and says so. */
  readonly missing?: "skip" | "fail";
  /** How long one test may take, in milliseconds; default: ten minutes. */
  readonly testTimeoutMs?: number;
}

/** What decides how tests run, settled. */
export interface RunnerSettings {
  readonly testing: TestingOptions;
  readonly missing: "skip" | "fail";
  /** Agents and judges are really asked. */
  readonly live: boolean;
}

/** `file` is the test file, absolute; what the skill and the recordings are named by is relative to it. */
export function settingsOf(
  skill: string,
  { harness, model, missing = "skip", testTimeoutMs: _testTimeoutMs, ...rest }: SkillTestOptions,
  { file, env }: { readonly file: string; readonly env: Readonly<Record<string, string | undefined>> },
): RunnerSettings {
  if (missing !== "skip" && missing !== "fail")
    throw new UserError("options/invalid", `option missing: ${JSON.stringify(missing)} is invalid`, {
      hint: "it is skip or fail",
    });
  const mode = modeOf(env["ASSAY_LIVE"]);
  const folder = dirname(file);
  return {
    testing: {
      ...rest,
      skill: resolve(folder, skill),
      file,
      ...(harness !== undefined && { harnesses: [harness] }),
      ...(model !== undefined && { models: [model] }),
      cassettes: resolve(folder, rest.cassettes ?? "__cassettes__"),
      record: mode === "record",
      replay: mode === "replay" ? "only" : null,
    },
    missing,
    live: mode !== "replay",
  };
}

/** Nothing is paid for unless somebody says so. */
function modeOf(said = ""): "replay" | "live" | "record" {
  switch (said.trim().toLowerCase()) {
    case "":
    case "0":
    case "false":
      return "replay";
    case "1":
    case "true":
      return "live";
    case "record":
      return "record";
    default:
      throw new UserError("options/invalid", `ASSAY_LIVE=${said} is invalid`, {
        hint: "it is 1 (ask real models), record (ask them and keep the recordings) or nothing (replay recordings)",
      });
  }
}
