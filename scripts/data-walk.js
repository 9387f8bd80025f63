// Counts what one Skillet case walks through from `assay run` to its summary, ungraded: how many source files have code that runs, and how
// often the next file that is entered for the first time lies in another room of src/. Usage: node scripts/data-walk.js [checkout]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const checkout = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), ".."));
const source = join(checkout, "src");
const folder = mkdtempSync(join(tmpdir(), "assay-walk-"));
try {
  await build({
    input: join(source, "cli/main.ts"),
    platform: "node",
    cwd: checkout,
    resolve: { mainFields: ["module", "main"] },
    transform: { target: "node20.19" },
    plugins: [stepCounter()],
    output: { file: join(folder, "dist/cli.mjs"), format: "esm", codeSplitting: false },
    logLevel: "silent",
  });
  symlinkSync(join(checkout, "bin"), join(folder, "bin"));
  symlinkSync(join(checkout, "examples"), join(folder, "examples"));
  const { files, changes } = walk(makeProject());
  console.log(`files with code that runs: ${files.length}`);
  console.log(`changes of room: ${changes}`);
  const count = new Map();
  for (const file of files) count.set(roomOf(file), (count.get(roomOf(file)) ?? 0) + 1);
  console.log(
    [...count]
      .sort((a, b) => b[1] - a[1])
      .map(([room, n]) => `${room} ${n}`)
      .join(", "),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Lets each function of ours say which file it is in, when it is called. */
function stepCounter() {
  return {
    name: "step-counter",
    transform(code, id) {
      if (!id.startsWith(source)) return null;
      const places = [];
      const ast = this.parse(code, { lang: "ts" });
      visit(ast, (node) => {
        if (/Function/.test(node.type) && node.body?.type === "BlockStatement")
          places.push(node.body.start + 1);
      });
      const step = `globalThis.__step?.(${JSON.stringify(relative(source, id))});`;
      let text = code;
      for (const place of places.sort((a, b) => b - a))
        text = text.slice(0, place) + step + text.slice(place);
      return text;
    },
  };
}

function visit(node, see) {
  if (node === null || typeof node !== "object") return;
  if (typeof node.type === "string") see(node);
  for (const value of Object.values(node)) visit(value, see);
}

function walk(project) {
  const log = join(folder, "steps.json");
  const runner = join(folder, "runner.mjs");
  writeFileSync(
    runner,
    `import { writeFileSync } from "node:fs";
     const steps = []; let last = ""; globalThis.__step = (file) => { if (file !== last) steps.push(last = file); };
     const { main } = await import(${JSON.stringify(join(folder, "dist/cli.mjs"))});
     process.exitCode = await main(["run", "evals", "--skill", "skill", "--harness", "command", "--command", "true", "--concurrency", "1", "--no-grade"]);
     writeFileSync(${JSON.stringify(log)}, JSON.stringify(steps));`,
  );
  const { status, stderr } = spawnSync(process.execPath, [runner], { cwd: project, encoding: "utf8" });
  if (status !== 0 && status !== 3) throw new Error(`the walk ended with ${status}: ${stderr}`);
  const steps = JSON.parse(readFileSync(log, "utf8"));
  const files = [...new Set(steps)];
  const rooms = files.map(roomOf);
  return { files, changes: rooms.filter((room, at) => at > 0 && room !== rooms[at - 1]).length };
}

function roomOf(file) {
  return file.split("/")[0];
}

function makeProject() {
  const project = join(folder, "project");
  mkdirSync(join(project, "skill"), { recursive: true });
  mkdirSync(join(project, "evals"));
  writeFileSync(join(project, "skill/SKILL.md"), "---\nname: walk\ndescription: Walks.\n---\n\nWalk.\n");
  writeFileSync(
    join(project, "evals/001.yaml"),
    "timestamp: 2026-01-01T00:00:00Z\nname: walk\nprompt: Walk\nexpected: It walked\n",
  );
  return project;
}
