import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { connectionOf } from "../../../src/engine/models/services.ts";
import { upstreamsOf } from "../../../src/engine/models/upstreams.ts";
import { DEFAULT_LIMITS } from "../../../src/domain/limits.ts";
import type { Json } from "../../../src/domain/json.ts";
import type { Run } from "../../../src/domain/run.ts";
import type { Skill } from "../../../src/domain/skill.ts";
import type { Case } from "../../../src/domain/suite.ts";
import type { TranscriptEvent } from "../../../src/domain/transcript.ts";
import type { Trial, Variant } from "../../../src/domain/trial.ts";
import { gatewayCell } from "../../../src/engine/models/gateway-cell.ts";
import { type Gateway, type GatewayOptions, startGateway } from "../../../src/gateway/gateway.ts";
import type { Sim } from "../../../src/gateway/sim/server.ts";
import type { TrialTraffic } from "../../../src/gateway/traffic.ts";
import { slots } from "../../../src/lib/slots.ts";
import { loadPrices } from "../../../src/providers/prices.ts";
import type { Act } from "../../../src/run/harness.contract.ts";
import type { Harness, HarnessOptions, HarnessRun } from "../../../src/run/harness.ts";
import { DEFAULTS } from "../../../src/run/fixtures/harness-bench.ts";
import { createSandbox, findSandbox } from "../../../src/run/choose-sandbox.ts";
import { runTrial, type TrialRequest } from "../../../src/run/trial.ts";
import { prepareBase } from "../../../src/run/workspace/base.ts";
import { METHODS } from "../../../src/run/workspace/fixtures/kit.ts";
import { openRunRoot } from "../../../src/run/workspace/run-root.ts";
import { SharedLayers } from "../../../src/run/workspace/shared-layers.ts";
import { aCase } from "../../support/cases.ts";
import { simWorld } from "../../support/sim-world.ts";

export interface TrialSetup {
  readonly harness: Harness;
  /** What the model does, for each user message. */
  readonly acts: readonly (readonly Act[])[];
  /** Rules of the model service that come before what the acts say. */
  readonly faults?: readonly Json[];
  readonly budget?: GatewayOptions["budget"];
  readonly case?: Partial<Case>;
  readonly variant?: Variant;
  readonly options?: Partial<HarnessOptions>;
  readonly request?: Partial<Pick<TrialRequest, "mcpServers" | "skillName">>;
  readonly deadlineSeconds?: number;
  readonly sandbox?: "auto" | "none";
  readonly signal?: AbortSignal;
  /** Files of the project besides the skill, by relative path. */
  readonly project?: Readonly<Record<string, string>>;
  readonly skill?: "directory" | "command";
  readonly hostEnv?: Readonly<Record<string, string>>;
}

export interface TrialTraces {
  readonly run: Run;
  /** What the client alone told; null when it was never asked. */
  readonly said: HarnessRun | null;
  /** What passed the gateway. */
  readonly traffic: TrialTraffic;
  /** The token that the client got instead of the real key. */
  readonly token: string;
  readonly events: readonly TranscriptEvent[];
  readonly sim: Sim;
  /** The text that checks would read. */
  readonly output: string | null;
  readonly raw: string;
  /** A captured output file. */
  readonly captured: (relative: string) => string;
  readonly sandbox: string;
}

/** The key to the model service, which no agent may ever see. */
export const REAL_KEY = "sk-real-3f9a1c0123456789";

/** One trial as the product runs it: staged, sandboxed, with a scripted model behind gateway and real agent program. */
export async function playTrial(setup: TrialSetup): Promise<TrialTraces> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "e2e-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const world = await simWorld(setup.harness, setup.acts, setup.faults);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const gateway = await gatewayTo(world.sim, { ...(setup.budget && { budget: setup.budget }) });
  onTestFinished(() => gateway.close());
  const skill = writeProject(join(folder, "project"), setup);
  const { name } = await findSandbox(setup.sandbox ?? "auto", tmpdir());
  const sandbox = createSandbox(name, { hidden: [folder] });
  await using root = await openRunRoot({
    candidates: [tmpdir()],
    token: randomBytes(4).toString("hex"),
    pid: process.pid,
  });
  const hostEnv = { ...process.env, ...setup.hostEnv };
  const base = await prepareBase(join(folder, "project"), {
    directory: join(root.path, "base"),
    skills: [skill],
    hidden: [],
    env: { PATH: hostEnv["PATH"], HOME: folder },
  });
  const events: TranscriptEvent[] = [];
  let output: string | null = null;
  const at = (name: string): string => join(folder, name);
  const variant = setup.variant ?? "with_skill";
  const trial: Trial = { id: `1/${variant}/run-1`, key: "key", caseId: "1", variant, repetition: 1 };
  const options = { ...DEFAULTS, model: MODELS[setup.harness.name] ?? null, ...setup.options };
  const port = gateway.open({ trial: trial.id, keepReplies: true });
  const connection = connectionOf(port);
  const cell = gatewayCell(gateway);
  onTestFinished(() => cell[Symbol.asyncDispose]());
  let said: HarnessRun | null = null;
  const run = await runTrial(
    {
      id: "trial-kit",
      trial,
      case: aCase({
        prompt: { kind: "turns", turns: setup.acts.map((_, index) => `message ${index + 1}`) },
        ...setup.case,
      }),
      skill,
      skillName: null,
      deadlineSeconds: setup.deadlineSeconds ?? 60,
      options,
      endpoint: connection.endpoint,
      cell: cell.open,
      traffic: () => connection.traffic(),
      mcpServers: null,
      ...setup.request,
      record: {
        rawStream: at("raw.jsonl"),
        stderr: at("stderr.txt"),
        outputs: at("outputs"),
        inputs: at("inputs"),
        transcript: (event) => void events.push(event),
        output: (text) => {
          output = text;
        },
      },
    },
    {
      harness: {
        ...setup.harness,
        run: async (request, context) => (said = await setup.harness.run(request, context)),
      },
      client: await setup.harness.find(),
      sandbox,
      network: "auto",
      allowHosts: [],
      limits: DEFAULT_LIMITS,
      root: root.path,
      base,
      method: sandbox.contained ? (METHODS[0] ?? "copy") : "copy",
      layers: new SharedLayers(join(root.path, "layer")),
      hostEnv,
      now: () => new Date(),
      slot: slots(1),
    },
    setup.signal ?? new AbortController().signal,
  );
  return {
    run,
    said,
    traffic: port.close(),
    token: port.endpoint.token,
    events,
    sim: world.sim,
    output,
    raw: read(at("raw.jsonl")),
    captured: (relative) => read(join(at("outputs"), relative)),
    sandbox: sandbox.name,
  };
}

/** As the command opens it, with the scripted model as the only service. */
export async function gatewayTo(
  sim: Sim,
  { budget, patience }: Pick<GatewayOptions, "budget" | "patience">,
): Promise<Gateway> {
  const prices = await loadPrices(new Date());
  const env = {
    ANTHROPIC_BASE_URL: sim.url,
    ANTHROPIC_API_KEY: REAL_KEY,
    OPENAI_BASE_URL: `${sim.url}/v1`,
    OPENAI_API_KEY: REAL_KEY,
    GOOGLE_GEMINI_BASE_URL: sim.url,
    GEMINI_API_KEY: REAL_KEY,
  };
  return startGateway({
    upstreams: upstreamsOf({ env }),
    priceOf: (model, usage) => prices.priceOf(model, usage),
    ...(budget && { budget }),
    ...(patience && { patience }),
  });
}

/** Models that call tools one by one, as the script does. */
const MODELS: Readonly<Record<string, string>> = {
  codex: "gpt-5.5",
  qwen: "gpt-5.5",
  gemini: "gemini-2.5-pro",
  opencode: "gpt-5.5",
  copilot: "gpt-5.5",
  pi: "gpt-5.5",
};

export const SKILL = "hex-greeter";
/** Stands in the skill's text and nowhere else. */
export const SKILL_MARK = "0xCAFEBABE";

/** The project has copies of the skill where clients look for them, as projects have. */
function writeProject(root: string, { skill = "directory", project = {} }: TrialSetup): Skill {
  const body = `Begin with ${SKILL_MARK} and greet $ARGUMENTS.\n`;
  const description = "Greets people in hexadecimal. Use for greetings.";
  const text = `---\nname: ${SKILL}\ndescription: ${description}\n---\n${body}`;
  const home = skill === "command" ? ".claude/commands" : `skills/${SKILL}`;
  const file = skill === "command" ? `${home}/${SKILL}.md` : `${home}/SKILL.md`;
  const files = {
    "README.md": "# A project\n",
    [file]: text,
    ...(skill === "directory" && {
      [`.claude/skills/${SKILL}/SKILL.md`]: text,
      [`.agents/skills/${SKILL}/SKILL.md`]: text,
    }),
    ...project,
  };
  for (const [relative, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, relative)), { recursive: true });
    writeFileSync(join(root, relative), content);
  }
  return {
    name: SKILL,
    layout: skill,
    file: join(root, file),
    root: join(root, home),
    description,
    frontmatter: { name: SKILL, description },
    body,
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

export function ofKind<K extends TranscriptEvent["kind"]>(
  events: readonly TranscriptEvent[],
  kind: K,
): readonly Extract<TranscriptEvent, { kind: K }>[] {
  return events.filter((event): event is Extract<TranscriptEvent, { kind: K }> => event.kind === kind);
}

/** Everything that the model was sent. */
export function sent({ sim }: TrialTraces): string {
  return sim.requests.map((request) => JSON.stringify(request.body)).join("\n");
}

/** Processes whose command line holds this text. */
export function running(text: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll("\0", " "))
    .filter((line) => line.includes(text));
}
