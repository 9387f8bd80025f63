import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { UserError } from "../../domain/user-error.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";

/** A captured output, and beside it what it was captured from. */
export interface CaptureFiles {
  readonly output: string;
  readonly about: string;
}

export function captureFiles(output: string): CaptureFiles {
  return { output, about: `${output.replace(/\.[^./\\]*$/, "")}.capture.json` };
}

/** Evidence is never overwritten unasked; told before anything is spent. */
export async function ensureFree({ output, about }: CaptureFiles, force: boolean): Promise<void> {
  if (force) return;
  for (const path of [output, about]) {
    if ((await stat(path).catch(() => null)) === null) continue;
    throw new UserError("capture/exists", `${path} already exists`, {
      hint: "use --force to replace it, or --out to keep this one elsewhere",
    });
  }
}

export async function keepCapture(
  { output, about }: CaptureFiles,
  captured: {
    /** Absolute path of the text. */
    readonly output: string;
    readonly skill: string;
    readonly args: readonly string[];
    readonly at: Date;
    readonly mask: SecretMask;
  },
): Promise<void> {
  const { skill, args, at, mask } = captured;
  await makeFolder(dirname(output));
  await writeFileAtomic(output, mask.text(await readFile(captured.output, "utf8")));
  const told = {
    schema_version: 1,
    skill_name: skill,
    skill_args: args.join(" "),
    args,
    captured_at: at.toISOString(),
  };
  await writeFileAtomic(about, `${JSON.stringify(mask.json(told), null, 2)}\n`);
}
