import type { ClientOptions } from "../client.ts";
import type { Harness } from "../harness.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { codex } from "./codex/codex.ts";

/** A harness for an agent program that people install. */
export interface AgentClient {
  readonly name: string;
  /** What it is called on PATH. */
  readonly program: string;
  /** The variable that names another program in its place. */
  readonly programVariable: string;
  readonly install: string;
  /** The host's variables that log it in where no gateway does. */
  readonly login: readonly string[];
  readonly create: (options: ClientOptions) => Harness;
}

/** What `auto` chooses from, best first. */
export const agentClients: readonly AgentClient[] = [
  {
    name: "claude-code",
    program: "claude",
    programVariable: "ASSAY_CLAUDE",
    install: "npm install -g @anthropic-ai/claude-code",
    login: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"],
    create: claudeCode,
  },
  {
    name: "codex",
    program: "codex",
    programVariable: "ASSAY_CODEX",
    install: "npm install -g @openai/codex",
    login: ["CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"],
    create: codex,
  },
];
