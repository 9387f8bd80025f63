import type { Provider } from "../../providers/provider.ts";
import type { ClientOptions } from "../client.ts";
import type { Endpoint, Harness } from "../harness.ts";

/** What a harness may be made from. */
export interface HarnessSetup {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** Null: the agent's own default. */
  readonly model: string | null;
  /** The model service that a harness without an agent program asks. Throws a UserError where there is none. */
  readonly service: (model: string | null) => AgentService;
  /** What `--command` says, as words. Throws a UserError where it says nothing usable. */
  readonly command: () => { readonly program: string; readonly args: readonly string[] };
  /** What `--script` names, as JSON, and what plays it. Throws a UserError where there is none. */
  readonly script: () => Promise<{
    readonly script: string;
    readonly player: string;
    readonly node: string;
  }>;
  /** The gateway holds the login of this client, by the name of its program, and no key. */
  readonly loggedIn: (program: string) => Promise<boolean>;
  /** A program's answer to `--version`; null where it has none. */
  readonly versionOf: (program: string) => Promise<string | null>;
}

interface AgentService {
  readonly model: string;
  readonly connect: (endpoint: Endpoint | null) => Provider;
}

export interface NamedHarness {
  readonly name: string;
  /** One line for help and docs. */
  readonly help: string;
  readonly create: (setup: HarnessSetup) => Harness | Promise<Harness>;
  /** Asks no model service that Assay knows of, so repeating it is not asked about. Absent: it may cost money. */
  readonly free?: true;
}

/** A harness for an agent program that people install. */
export interface AgentClient extends NamedHarness {
  /** What it is called on PATH. */
  readonly program: string;
  /** The variable that names another program in its place. */
  readonly programVariable: string;
  readonly install: string;
  /** The host's variables that log it in where no gateway does. */
  readonly login: readonly string[];
}

/** One that needs a key, or the address of a server that wants none. */
export interface KeyedClient extends AgentClient {
  /** For people. */
  readonly title: string;
  /** The service that its key is for, as the gateway names it. */
  readonly service: string;
}

/** What `auto` chooses from, best first. */
export const agentClients: readonly AgentClient[] = [
  client({
    name: "claude-code",
    help: "Claude Code, by its program claude",
    program: "claude",
    programVariable: "ASSAY_CLAUDE",
    install: "npm install -g @anthropic-ai/claude-code",
    login: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"],
    load: async () => (await import("./claude-code/claude-code.ts")).claudeCode,
  }),
  client({
    name: "codex",
    help: "OpenAI Codex, by its program codex",
    program: "codex",
    programVariable: "ASSAY_CODEX",
    install: "npm install -g @openai/codex",
    login: ["CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"],
    load: async () => (await import("./codex/codex.ts")).codex,
  }),
];

/** Agents that are chosen by name, each with a key to its service. */
export const furtherClients: readonly KeyedClient[] = [
  keyed({
    name: "qwen",
    help: "Qwen Code, by its program qwen",
    title: "Qwen Code",
    program: "qwen",
    programVariable: "ASSAY_QWEN",
    install: "npm install -g @qwen-code/qwen-code",
    service: "openai",
    login: ["OPENAI_API_KEY", "OPENAI_BASE_URL"],
    load: async () => (await import("./qwen/qwen.ts")).qwen,
  }),
  keyed({
    name: "gemini",
    help: "Gemini CLI, by its program gemini",
    title: "Gemini CLI",
    program: "gemini",
    programVariable: "ASSAY_GEMINI",
    install: "npm install -g @google/gemini-cli",
    service: "gemini",
    login: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    load: async () => (await import("./gemini/gemini.ts")).gemini,
  }),
];

/** Every harness that `--harness` knows without a configuration; nothing is loaded before it is wanted. */
export const harnesses: readonly NamedHarness[] = [
  ...agentClients,
  ...furtherClients,
  {
    name: "builtin",
    help: "Assay's own small agent, on any model service",
    async create({ service, model }) {
      const { builtin } = await import("./builtin/builtin.ts");
      return builtin(service(model));
    },
  },
  {
    name: "command",
    help: "any program that takes the prompt on standard input (--command)",
    free: true,
    async create({ command, env, cwd }) {
      const { commandHarness } = await import("./command.ts");
      return commandHarness({ ...command(), searchPath: env["PATH"] ?? "", cwd, home: env["HOME"] ?? "" });
    },
  },
  {
    name: "scripted",
    help: "no model: plays a script (--script), for tests",
    free: true,
    async create({ script }) {
      const { scriptedHarness } = await import("./scripted.ts");
      return scriptedHarness(await script());
    },
  },
  {
    name: "classifier",
    help: "no agent: a model picks a skill from the listing, for cheap trigger tests",
    async create({ service, model: preferred }) {
      const { classifier } = await import("./classifier/classifier.ts");
      return classifier({
        connect(model, endpoint) {
          const found = service(model ?? preferred);
          return { provider: found.connect(endpoint), model: found.model };
        },
      });
    },
  },
];

/** Running and repeating it costs nothing that Assay could know of. */
export function isFree(harness: string): boolean {
  return harnesses.some(({ name, free }) => name === harness && free === true);
}

/** The program that stands for a client on this machine: a path, or a name on PATH. */
export function programOf(
  { program, programVariable }: Pick<AgentClient, "program" | "programVariable">,
  env: HarnessSetup["env"],
): string {
  const named = (env[programVariable] ?? "").trim();
  return named === "" ? program : named;
}

interface Loaded {
  readonly load: () => Promise<(options: ClientOptions) => Harness>;
}

function keyed({ title, service, ...head }: Omit<KeyedClient, "create"> & Loaded): KeyedClient {
  return { ...client(head), title, service };
}

function client({ load, ...head }: Omit<AgentClient, "create"> & Loaded): AgentClient {
  return {
    ...head,
    async create({ env, cwd, versionOf, loggedIn }) {
      const create = await load();
      const credentials = head.login.flatMap((name) =>
        env[name] === undefined ? [] : [[name, env[name]] as const],
      );
      return create({
        program: programOf(head, env),
        searchPath: env["PATH"] ?? "",
        cwd,
        versionOf,
        credentials: Object.fromEntries(credentials),
        loggedIn: await loggedIn(head.program),
      });
    },
  };
}
