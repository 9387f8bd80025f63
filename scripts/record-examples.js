// Records the models that the tests in examples/vitest and examples/node-test replay, from the scripts that lie beside them.
// Usage: node scripts/record-examples.js   (after npm run build)
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sim, thisMachine } from "../dist/index.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const VITEST = join(ROOT, "node_modules", "vitest");
const EXAMPLES = [
  { name: "vitest", skill: "release-notes", command: [join(VITEST, "vitest.mjs"), "run"] },
  { name: "node-test", skill: "conventional-comments", command: ["--test"] },
];

for (const { name, skill, command } of EXAMPLES) {
  const project = mkdtempSync(join(tmpdir(), "record-"));
  const from = join(ROOT, "examples", name);
  const folder = join(project, name);
  for (const one of [name, skill])
    cpSync(join(ROOT, "examples", one), join(project, one), { recursive: true });
  rmSync(join(folder, "__cassettes__"), { recursive: true, force: true });
  mkdirSync(join(project, "node_modules"));
  symlinkSync(ROOT, join(project, "node_modules", "assay"));
  symlinkSync(VITEST, join(project, "node_modules", "vitest"));
  const model = await sim({ script: join(from, "model.yaml") }, { machine: thisMachine() });
  const env = {
    PATH: process.env.PATH,
    HOME: join(project, "home"),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "any-key-will-do",
    ASSAY_LIVE: "record",
  };
  mkdirSync(env.HOME);
  // The model answers from this process, so the tests must not block it.
  const tests = spawn(process.execPath, command, { cwd: folder, env, stdio: "inherit" });
  const code = await new Promise((resolve) => tests.on("exit", resolve));
  await model.close();
  if (code !== 0) throw new Error(`the tests of examples/${name} ended with ${code}; nothing was changed`);
  rmSync(join(from, "__cassettes__"), { recursive: true, force: true });
  cpSync(join(folder, "__cassettes__"), join(from, "__cassettes__"), { recursive: true });
  rmSync(project, { recursive: true, force: true });
}
