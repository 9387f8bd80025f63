import { join } from "node:path";
import { canaryPrompt, isCanary } from "../domain/canary.ts";
import { leftOut } from "../domain/left-out.ts";
import { type Run, UNKNOWN_USAGE } from "../domain/run.ts";
import type { Prompt } from "../domain/suite.ts";
import { deadlineSignal } from "../lib/deadline-signal.ts";
import { writeBelow } from "../lib/write-below.ts";
import type { HarnessContext, HarnessRequest, HarnessRun } from "./harness.ts";
import type { Command, Supervised } from "./process/command.ts";
import { TRIAL_MARK } from "./process/stop.ts";
import { supervise, type SuperviseOptions } from "./process/supervise.ts";
import { probeSetup } from "./probe.ts";
import type { Recorder } from "./recorder.ts";
import type { Places } from "./sandbox.ts";
import { SCRIPT_SECONDS, scriptProblem } from "./script.ts";
import { systemPromptOf } from "./system-prompt.ts";
import type { TrialParts, TrialRequest } from "./trial.ts";
import { trialEnv } from "./workspace/env.ts";
import { filesLine } from "./workspace/fixtures.ts";
import type { Staged } from "./workspace/stage.ts";

interface Stage {
  readonly staged: Staged;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
}

interface Worked {
  readonly said: HarnessRun;
  /** Null: it never began. */
  readonly time: Run["agentTime"];
  readonly durationMs: number;
  readonly notes: readonly string[];
}

/** The agent's part of a trial, in its sandbox: setup, turns, teardown. */
export class Agent {
  readonly places: Places;
  readonly #env: Readonly<Record<string, string>>;
  readonly #request: TrialRequest;
  readonly #parts: TrialParts;
  readonly #stage: Stage;

  constructor(request: TrialRequest, parts: TrialParts, stage: Stage) {
    const { ground } = stage.staged;
    this.places = parts.sandbox.places(ground);
    this.#env = { ...trialEnv({ places: this.places, base: parts.hostEnv }), [TRIAL_MARK]: ground.id };
    this.#request = request;
    this.#parts = parts;
    this.#stage = stage;
  }

  /** Takes a slot as late as it can and gives it back at the end. */
  async work(): Promise<Worked> {
    const notes: string[] = [];
    let slot: Promise<Disposable> | null = null;
    const takeSlot = async (): Promise<void> => {
      await (slot ??= this.#parts.slot());
    };
    try {
      if (this.#request.case.setup !== null) await takeSlot();
      const setup = await this.#script("setup");
      if (setup !== null) {
        notes.push(...(await this.#teardown()));
        return { said: skipped(setup), time: null, durationMs: 0, notes };
      }
      const worked = await this.#harness(takeSlot);
      notes.push(...(await this.#teardown()));
      return { ...worked, notes };
    } finally {
      (await (slot as Promise<Disposable> | null))?.[Symbol.dispose]();
    }
  }

  /** The clock starts with the slot: by then a program that does all the work waits in its sandbox for the word. */
  async #harness(takeSlot: () => Promise<void>): Promise<Omit<Worked, "notes">> {
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
      signal: deadline.signal,
      start: async (command, watch) =>
        this.#start(command, {
          watch,
          ...(startedMs === null ? { deadlineMs: Infinity, admit: begin } : { deadlineMs: await begin() }),
          stdoutFile: record.rawStream,
          signal: this.#stage.signal,
        }),
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
        stdoutFile: this.#request.record.stderr,
        signal: name === "setup" ? this.#stage.signal : new AbortController().signal,
      },
    );
    return scriptProblem(name, supervised);
  }

  async #teardown(): Promise<readonly string[]> {
    const problem = await this.#script("teardown");
    return problem === null ? [] : [problem];
  }

  #start(
    command: Command,
    options: Pick<SuperviseOptions, "watch" | "deadlineMs" | "admit" | "stdoutFile" | "signal">,
  ): Promise<Supervised> {
    const { sandbox } = this.#parts;
    return supervise(sandbox.wrap(command, this.#stage.staged.ground), {
      ...options,
      stderrFile: this.#request.record.stderr,
      contained: sandbox.contained,
    });
  }
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

function skipped(reason: string): HarnessRun {
  return {
    outcome: leftOut("setup-skipped", reason),
    model: null,
    sessionId: null,
    steps: 0,
    usage: UNKNOWN_USAGE,
    denials: [],
    skillsOffered: null,
    clientVersion: null,
    notes: [],
  };
}
