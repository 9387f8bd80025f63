import { spawn } from "node:child_process";
import { chmod, cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseScript } from "../../../src/gateway/sim/read-script.ts";
import { startSim } from "../../../src/gateway/sim/server.ts";
import { builtCommand } from "../built-command.ts";
import { EXAMPLES } from "../examples.ts";
import { type TempTree, tempTree } from "../temp-tree.ts";
import { docsProject, docsScript } from "./project.ts";

/** A reader's shell: the built command on PATH, an empty HOME, a model service in reach, and the project of the pages. */
export interface DocsShell extends AsyncDisposable {
  readonly project: TempTree;
  /** Commands that leave four iterations of `skills/pdf`: pages about results are read by people who have some. */
  readonly history: string;
  /** Runs them as one script that stops at the first failure; answers what was said then, or "". */
  readonly run: (script: string, cwd: string) => Promise<string>;
}

export async function docsShell(): Promise<DocsShell> {
  const command = await builtCommand();
  await cp(EXAMPLES, join(dirname(dirname(command.path)), "examples"), { recursive: true });
  const assay = `#!/bin/sh\nexec ${process.execPath} ${command.path} "$@"\n`;
  const bin = await tempTree({ assay, npx: '#!/bin/sh\nexec "$@"\n' });
  for (const name of ["assay", "npx"]) await chmod(bin.path(name), 0o755);
  const project = await docsProject();
  const home = await tempTree();
  const sim = await startSim(parseScript(await docsScript()));
  const env = {
    PATH: `${bin.root}:/usr/bin:/bin`,
    HOME: home.root,
    ANTHROPIC_BASE_URL: sim.url,
    ANTHROPIC_API_KEY: "any-key-will-do",
    ASSAY_HARNESS: "builtin",
    ASSAY_TRANSPORT: "api",
  };
  return {
    project,
    history:
      "assay run skills/pdf; assay run skills/pdf; assay bench skills/pdf --smoke; assay run skills/pdf",
    run: (script, cwd) => inShell(`set -eo pipefail\n${script}`, { cwd, env }),
    async [Symbol.asyncDispose]() {
      await sim.close();
      for (const part of [home, project, bin, command]) await part[Symbol.asyncDispose]();
    },
  };
}

/** For what should have ended and serves or asks instead. */
const MOST_SECONDS = "500";

function inShell(
  script: string,
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn("timeout", ["-s", "KILL", MOST_SECONDS, "bash", "-c", script], {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.on("close", (code) => resolve(code === 0 ? "" : `exit ${code}: ${script}\n${said.slice(-3000)}`));
  });
}
