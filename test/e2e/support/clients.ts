import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { claudeCode } from "../../../src/run/harnesses/claude-code/claude-code.ts";
import { codex } from "../../../src/run/harnesses/codex/codex.ts";
import { gemini } from "../../../src/run/harnesses/gemini/gemini.ts";
import { qwen } from "../../../src/run/harnesses/qwen/qwen.ts";
import type { ClientOptions } from "../../../src/run/client.ts";
import type { Harness } from "../../../src/run/harness.ts";

const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/assay-clients", import.meta.url));

/** A real agent program, pinned. */
export interface PinnedClient {
  readonly harness: Harness;
  readonly version: string;
  /** Absolute path. */
  readonly program: string;
  /** False when it cannot be had here, which is said on the console. */
  readonly installed: boolean;
}

/** The version that npm gives to Node 20. */
export function claude(): Promise<PinnedClient> {
  return pinned(
    { name: "@anthropic-ai/claude-code", version: "2.1.197" },
    "node_modules/.bin/claude",
    claudeCode,
  );
}

/** A later version. Its package asks for a newer Node, the program itself for none. */
export function laterClaude(): Promise<PinnedClient> {
  const name = `@anthropic-ai/claude-code-${platform()}-${arch()}`;
  return pinned({ name, version: "2.1.325" }, `node_modules/${name}/claude`, claudeCode);
}

export function codexClient(): Promise<PinnedClient> {
  return pinned({ name: "@openai/codex", version: "0.166.0" }, "node_modules/.bin/codex", codex);
}

/** The last version that runs on Node 20. */
export function qwenClient(): Promise<PinnedClient> {
  return pinned(
    { name: "@qwen-code/qwen-code", version: "0.15.10", seconds: 120 },
    "node_modules/.bin/qwen",
    qwen,
  );
}

export function geminiClient(): Promise<PinnedClient> {
  return pinned(
    { name: "@google/gemini-cli", version: "0.61.0", seconds: 120 },
    "node_modules/.bin/gemini",
    gemini,
  );
}

async function pinned(
  { name, version, seconds = 300 }: { name: string; version: string; seconds?: number },
  program: string,
  create: (options: ClientOptions) => Harness,
): Promise<PinnedClient> {
  const folder = join(CACHE, `${name.replaceAll(/\W+/g, "-")}-${version}`);
  const path = join(folder, program);
  const searchPath = process.env["PATH"] ?? "";
  const harness = create({ program: path, searchPath, cwd: "/", credentials: {}, versionOf });
  try {
    if (!existsSync(path)) await install(folder, `${name}@${version}`, seconds);
    return { harness, version, program: path, installed: true };
  } catch (error) {
    console.warn(`${name}@${version} cannot be installed here, so it is not tested: ${String(error)}`);
    return { harness, version, program: path, installed: false };
  }
}

async function install(folder: string, name: string, seconds: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const args = [
    "install",
    "--prefix",
    folder,
    "--no-audit",
    "--no-fund",
    "--fetch-retries=1",
    "--loglevel=error",
    name,
  ];
  await promisify(execFile)("npm", args, { timeout: seconds * 1000 });
}

async function versionOf(program: string): Promise<string | null> {
  const { stdout } = await promisify(execFile)(program, ["--version"]);
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null;
}
