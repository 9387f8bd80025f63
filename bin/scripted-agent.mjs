#!/usr/bin/env node
// Plays one scripted answer as an agent would: says, thinks, really writes files and runs commands, sleeps, fails, hangs.
// The script comes as JSON in ASSAY_SCRIPT_FILE; the prompt on standard input; what happens goes out as JSON lines.
// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const { env } = process;
const prompt = readFileSync(0, "utf8");
const turn = Number(env.ASSAY_TURN ?? "1");
const skill = env.ASSAY_SKILL ?? "";
const script = JSON.parse(readFileSync(env.ASSAY_SCRIPT_FILE ?? "", "utf8"));

const SKILLS = ".claude/skills";
const COMMANDS = ".claude/commands";

let calls = 0;

say({
  type: "session",
  id: env.ASSAY_SESSION || "scripted",
  model: env.ASSAY_MODEL || "scripted",
  skills: installed(),
});
const reply = script.replies.find(matches);
if (reply === undefined) {
  say({
    type: "failed",
    reason: "crashed",
    message: `the script has no reply to turn ${turn}: ${prompt.slice(0, 200)}`,
  });
} else {
  for (const step of reply.steps) await play(step);
}

/** What an agent that looks into the workspace would be offered. */
function installed() {
  /** @param {string} folder */
  const names = (folder) => (existsSync(folder) ? readdirSync(folder) : []);
  const skills = names(SKILLS).filter((name) => existsSync(join(SKILLS, name, "SKILL.md")));
  const commands = names(COMMANDS).filter((name) => name.endsWith(".md"));
  return [...skills, ...commands.map((name) => name.slice(0, -".md".length))];
}

/** @param {{ when?: { prompt?: string, skill?: boolean, turn?: number } }} candidate */
function matches({ when = {} }) {
  return (
    (when.prompt === undefined || prompt.includes(when.prompt)) &&
    (when.skill === undefined || when.skill === (skill !== "")) &&
    (when.turn === undefined || when.turn === turn)
  );
}

/** @param {Record<string, any>} step */
async function play(step) {
  if (step.text !== undefined) say({ type: "text", text: step.text });
  else if (step.thinking !== undefined) say({ type: "thinking", text: step.thinking });
  else if (step.raw !== undefined) process.stdout.write(step.raw);
  else if (step.stderr !== undefined) process.stderr.write(step.stderr);
  else if (step.skill !== undefined) loadSkill(step.skill === true ? skill : step.skill);
  else if (step.write !== undefined) write(step.write);
  else if (step.read !== undefined) read(step.read);
  else if (step.bash !== undefined) bash(step.bash);
  else if (step.tool !== undefined) call(step.tool.name, step.tool.input ?? {}, step.tool);
  else if (step.usage !== undefined) say({ type: "usage", ...step.usage });
  else if (step.sleepMs !== undefined) await new Promise((wake) => setTimeout(wake, step.sleepMs));
  else if (step.fail !== undefined) say({ type: "failed", ...step.fail });
  else if (step.exit !== undefined) process.exit(step.exit);
  else if (step.hang !== undefined) await hang(step.hang);
  else if (step.grandchild !== undefined) grandchild(step.grandchild);
  else if (step.flood !== undefined) await flood(step.flood);
  else throw new Error(`the script has a step this player does not know: ${JSON.stringify(step)}`);
}

/** @param {string} name */
function loadSkill(name) {
  call("Skill", { skill: name }, { output: `Launching skill: ${name}` });
  say({ type: "skill", name, by: "tool" });
}

/** @param {{ path: string, content: string }} file */
function write({ path, content }) {
  attempt("Write", { file_path: path, content }, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return `wrote ${path}`;
  });
}

/** @param {string} path */
function read(path) {
  attempt("Read", { file_path: path }, () => readFileSync(path, "utf8"));
}

/** @param {string} command */
function bash(command) {
  attempt("Bash", { command }, () => {
    const { status, stdout, stderr } = spawnSync("bash", ["-c", command], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${stdout}${stderr}exit code ${status}`);
    return `${stdout}${stderr}`;
  });
}

/** Tells the call before it does it, as agents do. @param {string} name @param {object} input @param {() => string} action */
function attempt(name, input, action) {
  const id = begin(name, input);
  try {
    end(id, { output: action() });
  } catch (error) {
    end(id, { output: error instanceof Error ? error.message : String(error), is_error: true });
  }
}

/** @param {string} name @param {object} input @param {Answer} answer */
function call(name, input, answer) {
  end(begin(name, input), answer);
}

/** @param {string} name @param {object} input */
function begin(name, input) {
  const id = `call-${turn}-${++calls}`;
  say({ type: "tool_call", id, name, input });
  return id;
}

/** @typedef {{ output?: string, is_error?: boolean, denied?: boolean }} Answer */
/** @param {string} id @param {Answer} answer */
function end(id, { output = "", is_error = false, denied = false }) {
  say({ type: "tool_result", id, output, is_error, denied });
}

/** @param {{ ignoreSignals?: boolean }} how */
async function hang({ ignoreSignals = false }) {
  if (ignoreSignals) for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  await new Promise(() => setInterval(() => {}, 60_000));
}

/** A process that outlives its parent and holds its standard output open. @param {{ seconds: number }} how */
function grandchild({ seconds }) {
  spawn("bash", ["-c", `trap "" INT TERM HUP; sleep ${seconds}`], {
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
  }).unref();
}

/** @param {{ megabytes: number, newlines?: boolean }} how */
async function flood({ megabytes, newlines = false }) {
  const block = "x".repeat(1024 * 1024 - 1) + (newlines ? "\n" : "x");
  for (let i = 0; i < megabytes; i++) {
    await new Promise((written) => process.stdout.write(block, () => written(undefined)));
  }
}

/** @param {object} message */
function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
