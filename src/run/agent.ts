import { join } from "node:path";
import { canaryPrompt, isCanary } from "../domain/canary.ts";
import { leftOut } from "../domain/left-out.ts";
import { commandsOf } from "../domain/check.ts";
import type { CommandEnd, CutEvidence, Run } from "../domain/run.ts";
import type { Prompt } from "../domain/suite.ts";
import { deadlineSignal } from "../lib/deadline-signal.ts";
import { writeBelow } from "../lib/write-below.ts";
import type { HarnessContext, HarnessRequest, HarnessRun } from "./harness.ts";
import type { Command, Supervised } from "./process/command.ts";
import { TRIAL_MARK } from "./process/stop.ts";
import { supervise, type SuperviseOptions } from "./process/supervise.ts";
import type { WrittenFolder } from "./process/use.ts";
import { probeSetup } from "./probe.ts";
import type { Recorder } from "./recorder.ts";
import { saidNothing } from "./said-nothing.ts";
import type { Places, Reach, TrialGround } from "./sandbox.ts";
import { COMMAND_SECONDS, commandEnd, SCRIPT_SECONDS, scriptProblem } from "./script.ts";
import { systemPromptOf } from "./system-prompt.ts";
import type { TrialParts, TrialRequest } from "./trial.ts";
import { afterSetup } from "./workspace/after-setup.ts";
import { trialEnv } from "./workspace/env.ts";
import { filesLine } from "./workspace/fixtures.ts";
import type { Staged } from "./workspace/stage.ts";

interface Stage {
  readonly staged: Staged;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  /** What the agent reaches of the network. */
  readonly reach: Reach;
}

interface Worked {
  readonly said: HarnessRun;
  /** Null: it never began. */
  readonly time: Run["agentTime"];
  readonly durationMs: number;
  /** Null: there is no script, or it did its work. */
  readonly teardownProblem: string | null;
  readonly commands: readonly CommandEnd[];
}

/** The agent's part of a trial, in its sandbox: setup, turns, keeping what it left, commands of checks, teardown. */
export class Agent {
  readonly places: Places;
  readonly #env: Readonly<Record<string, string>>;
  readonly #sinceMs: number;
  readonly #request: TrialRequest;
  readonly #parts: TrialParts;
  #stage: Stage;

  #cutLines = 0;

  constructor(request: TrialRequest, parts: TrialParts, stage: Stage) {
    const { ground } = stage.staged;
    this.places = parts.sandbox.places(ground);
    const proxy = typeof stage.reach === "string" ? null : (request.proxy ?? null);
    this.#env = {
      ...trialEnv({ places: this.places, base: parts.hostEnv, proxy }),
      [TRIAL_MARK]: ground.id,
    };
    // The clock of files may be a little behind.
    this.#sinceMs = Date.now() - 100;
    this.#request = request;
    this.#parts = parts;
    this.#stage = stage;
  }

  /** What of the client's words was not heard. */
  get cut(): readonly CutEvidence[] {
    const reason = `${this.#cutLines} lines of the client's output were too long, or nested too deep, to be read whole`;
    return this.#cutLines === 0 ? [] : [{ of: "stream", reason }];
  }

  /** What the agent found, once setup has been at work. */
  get staged(): Staged {
    return this.#stage.staged;
  }

  /** Takes a slot as late as it can and gives it back at the end; what the agent left is kept before teardown clears it away. */
  async work<T>(keep: (said: HarnessRun) => Promise<T>): Promise<Worked & { readonly kept: T }> {
    let slot: Promise<Disposable> | null = null;
    const takeSlot = async (): Promise<void> => {
      await (slot ??= this.#admission());
    };
    const releaseSlot = async (): Promise<void> => (await slot)?.[Symbol.dispose]();
    try {
      if (this.#request.case.setup !== null) await takeSlot();
      const setup = await this.#script("setup");
      if (setup !== null) {
        const said = saidNothing(leftOut("setup-skipped", setup));
        const kept = await keep(said);
        const teardownProblem = await this.#script("teardown");
        return { said, time: null, durationMs: 0, commands: [], teardownProblem, kept };
      }
      if (this.#request.case.setup !== null)
        this.#stage = { ...this.#stage, staged: await afterSetup(this.#stage.staged) };
      const worked = await this.#harness(takeSlot);
      const commands =
        worked.said.outcome.status === "completed" ? commandsOf(this.#request.case.checks) : [];
      if (this.#request.case.teardown === null && commands.length === 0) await releaseSlot();
      const kept = await keep(worked.said);
      // After keeping, so that what a command writes is not taken for the agent's.
      const ends = await this.#commands(commands);
      return { ...worked, commands: ends, teardownProblem: await this.#script("teardown"), kept };
    } finally {
      await releaseSlot();
    }
  }

  async #admission(): Promise<Disposable> {
    const slot = await this.#parts.slot();
    this.#request.admitted?.();
    return slot;
  }

  /** The clock starts with the slot: by then a program that does all the work waits in its sandbox for the word. */
  async #harness(takeSlot: () => Promise<void>): Promise<Omit<Worked, "teardownProblem" | "commands">> {
    const { deadlineSeconds, record, endpoint } = this.#request;
    const { harness } = this.#parts;
    let startedMs: number | null = null;
    let startedAt: Date | null = null;
    const begin = async (): Promise<number> => {
      await takeSlot();
      startedAt ??= this.#parts.now();
      startedMs ??= performance.now();
      return startedMs + deadlineSeconds * 1000;
    };
    if (!harness.onlyPrograms) await begin();
    using deadline = deadlineSignal(
      this.#stage.signal,
      harness.onlyPrograms ? Infinity : deadlineSeconds * 1000,
    );
    const context: HarnessContext = {
      places: this.places,
      env: this.#env,
      mcpServers: this.#request.case.mcpServers ?? this.#request.mcpServers,
      endpoint,
      writeHome: (relative, content) => this.#writeHome(relative, content),
      emit: this.#stage.recorder.emit,
      timeLimitMs: deadlineSeconds * 1000,
      signal: deadline.signal,
      start: async (command, watch) => {
        const supervised = await this.#start(command, {
          watch,
          ...(startedMs === null ? { deadlineMs: Infinity, admit: begin } : { deadlineMs: await begin() }),
          stdoutFile: record.rawStream,
          signal: this.#stage.signal,
          reach: this.#stage.reach,
        });
        this.#cutLines += supervised.cutLines ?? 0;
        return supervised;
      },
    };
    const said = await harness.run(await this.#harnessRequest(), context);
    const durationMs = startedMs === null ? 0 : performance.now() - startedMs;
    return { said, time: timeOf(startedAt, durationMs), durationMs };
  }

  async #harnessRequest(): Promise<HarnessRequest> {
    const { case: one, skill, skillName, options, trial, resume } = this.#request;
    const { staged } = this.#stage;
    const { rivals = [] } = probeSetup(one, this.#parts.probe) ?? {};
    const prompt = withFiles(inlined(one.prompt, trial.variant === "inline" ? skill?.body : undefined), one);
    const asked = { rivals, options, ...(resume && { resume }) };
    if (skill === null || staged.skill === null) return { ...asked, prompt, skill: null };
    return {
      ...asked,
      prompt: isCanary(one) ? { kind: "turns", turns: [canaryPrompt(skillName ?? skill.name)] } : prompt,
      skill: {
        skill,
        name: skillName ?? skill.name,
        path: join(this.places.workspace, staged.skill.path),
        systemPrompt: systemPromptOf(one, skill, staged.base.projectRoot),
      },
    };
  }

  async #writeHome(relative: string, content: string): Promise<string> {
    writeBelow(this.#stage.staged.ground.home, relative, content);
    return join(this.places.home, relative);
  }

  /** Scripts run to their end even when the user is in a hurry: what setup made, teardown must clear away. */
  async #script(name: "setup" | "teardown"): Promise<string | null> {
    const script = this.#request.case[name];
    if (script === null) return null;
    const supervised = await this.#start(
      { program: "/bin/bash", args: ["-c", script], cwd: this.places.workspace, env: this.#env, stdin: "" },
      {
        watch: () => undefined,
        deadlineMs: performance.now() + SCRIPT_SECONDS * 1000,
        stdoutFile: null,
        signal: name === "setup" ? this.#stage.signal : new AbortController().signal,
        // The user has read it, and it may have something to fetch.
        reach: this.#parts.network === "auto" ? "host" : this.#stage.reach,
      },
    );
    return scriptProblem(name, supervised);
  }

  /** The agent may have written what a command runs, so that it reaches no more than the agent did. */
  async #commands(commands: readonly string[]): Promise<readonly CommandEnd[]> {
    const ends: CommandEnd[] = [];
    for (const command of commands) {
      const supervised = await this.#start(
        {
          program: "/bin/bash",
          args: ["-c", command],
          cwd: this.places.workspace,
          env: this.#env,
          stdin: "",
        },
        {
          watch: () => undefined,
          deadlineMs: performance.now() + COMMAND_SECONDS * 1000,
          stdoutFile: null,
          signal: this.#stage.signal,
          reach: this.#stage.reach,
        },
      );
      ends.push(commandEnd(command, supervised));
    }
    return ends;
  }

  async #start(
    command: Command,
    {
      reach,
      ...options
    }: Pick<SuperviseOptions, "watch" | "deadlineMs" | "admit" | "stdoutFile" | "signal"> & { reach: Reach },
  ): Promise<Supervised> {
    const { sandbox, limits } = this.#parts;
    const { ground } = this.#stage.staged;
    const supervised = await supervise(await sandbox.wrap(command, { ...ground, reach }), {
      ...options,
      most: { ...limits, folders: writtenFolders(ground, this.#sinceMs) },
      limits: { totalBytes: limits.outputBytes },
      stderrFile: this.#request.record.stderr,
      contained: sandbox.contained,
    });
    this.#stage.recorder.trespasses.left.push(...supervised.left);
    return supervised;
  }
}

/** What an overlay holds was all written by the trial; a copy of the project was there before. */
function writtenFolders({ workspace, home, temp }: TrialGround, sinceMs: number): readonly WrittenFolder[] {
  return [
    workspace.kind === "overlay" ? { path: workspace.upper, sinceMs: 0 } : { path: workspace.path, sinceMs },
    { path: home, sinceMs: 0 },
    { path: temp, sinceMs: 0 },
  ];
}

/** The clock of the machine may be set while the agent works; the time it took does not change by that. */
function timeOf(startedAt: Date | null, durationMs: number): Run["agentTime"] {
  if (startedAt === null) return null;
  const endedAt = new Date(startedAt.getTime() + Math.round(durationMs));
  return { startedAt: startedAt.toISOString(), endedAt: endedAt.toISOString() };
}

/** skill-creator lists a case's files for the agent; so do we, in every variant alike. */
function withFiles(prompt: Prompt, { format, files }: TrialRequest["case"]): Prompt {
  const line = format === "skill-creator" && prompt.kind === "turns" ? filesLine(files) : null;
  if (line === null || prompt.kind !== "turns") return prompt;
  const [first = "", ...rest] = prompt.turns;
  return { kind: "turns", turns: [`${first}\n\n${line}`, ...rest] };
}

/** What the skill says without the question whether it is found. */
function inlined(prompt: Prompt, body: string | undefined): Prompt {
  if (body === undefined) return prompt;
  const turns = prompt.kind === "turns" ? prompt.turns : [prompt.args];
  const [first = "", ...rest] = turns;
  return { kind: "turns", turns: [`${body.trim()}\n\n${first}`, ...rest] };
}
