import { NO_CONFIG, type Plugins } from "../../src/operations/config.ts";
import { machineIn } from "./machine.ts";

export const SCRIPTED = {
  targets: ["skills/greeter"],
  harnesses: ["scripted"],
  script: "script.json",
} as const;

/** A program that calls operations from a directory. */
export function caller({ root }: { readonly root: string }) {
  const machine = machineIn(root);
  return { machine: { ...machine, env: { PATH: process.env["PATH"] } }, notes: machine.notes };
}

export function configured(plugins: Partial<Plugins>) {
  return { ...NO_CONFIG, plugins: { ...NO_CONFIG.plugins, ...plugins } };
}

/** A plug-in's function that never ends, and the call's signal, which gives up as soon as that function is asked. */
export function hangUntilStopped() {
  const stop = new AbortController();
  const hang = (): Promise<never> => {
    setImmediate(() => stop.abort(new DOMException("the caller's own time is up", "TimeoutError")));
    return new Promise<never>(() => {});
  };
  return { hang, signal: stop.signal };
}

/** A plug-in harness called `mine`, as plain JavaScript may have it. */
export function harnessLike(changes: object): Plugins["harnesses"] {
  const harness = {
    name: "mine",
    skillsFolder: ".claude/skills",
    onlyPrograms: false,
    find: async () => ({ name: "mine", version: null, readable: [] }),
    run: async () => SAID_HELLO,
    ...changes,
  };
  return [{ name: "mine", help: "", create: () => harness }];
}

const USAGE = {
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  costUsd: null,
};

export const SAID_HELLO = {
  outcome: { status: "completed" },
  model: null,
  sessionId: null,
  steps: 1,
  usage: USAGE,
  denials: [],
  skillsOffered: ["greeter"],
  clientVersion: null,
  notes: [],
} as const;
