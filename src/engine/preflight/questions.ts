import { judgeProgram, providerOf } from "../../domain/grading-provider.ts";
import type { Plan } from "../../domain/plan.ts";
import type { Machine } from "../../machine.ts";
import type { GradingChoice } from "../../providers/grading-choice.ts";
import type { Logins } from "../logins/access.ts";
import { filled } from "../logins/credentials-file.ts";
import type { Login, LoginClient } from "../logins/login.ts";
import { clientOf, keyedClientOf } from "../logins/upstreams.ts";
import { agentService } from "../models/agent-provider.ts";
import { upstreamsOf } from "../models/upstreams.ts";
import { type Finding, noted } from "./finding.ts";
import { aliasOf, nearestAlias } from "./model-names.ts";
import { type ModelQuestion, SPELLING } from "./model.ts";

interface Parts {
  readonly machine: Machine;
  readonly logins: Logins;
}

/** What to ask the agent's service; null where there is nobody to ask. */
export function agentQuestion(
  { harness, model }: Pick<Plan, "harness" | "model">,
  parts: Parts,
): ModelQuestion | null {
  const client = clientOf(harness);
  const keyed = keyedClientOf(harness);
  // Of what other services list, nothing is known here.
  if (keyed !== null)
    return keyed.service === "openai"
      ? keyQuestion("model", { provider: keyed.service, model }, parts.machine)
      : null;
  if (client === null) return ownAgentQuestion(harness, model, parts.machine);
  // Clients have names of their own, such as sonnet, which their services do not know.
  const asked = model === null || aliasOf(client, model) !== null ? null : model;
  return clientQuestion("model", { client, model: asked }, parts);
}

/** A name that a client may know and we do not; null: there is no doubt. */
export function aliasFinding({ harness, model }: Pick<Plan, "harness" | "model">): Finding | null {
  const client = clientOf(harness);
  if (client === null || model === null || aliasOf(client, model) !== "possible") return null;
  const near = nearestAlias(model);
  return noted(
    "model",
    `The model ${model} was not checked: it may be a name that only ${client} knows.`,
    near === null ? SPELLING : `did you mean ${near}?`,
  );
}

/** What to ask the service that a judge is reached through; null where there is nobody to ask. */
export function judgeQuestion(
  { provider, model, transport }: GradingChoice,
  parts: Parts,
): ModelQuestion | null {
  if (transport === "api") return keyQuestion("judge", { provider, model }, parts.machine);
  const client = judgeProgram(provider);
  if (client === null) return null;
  return clientQuestion("judge", { client, model: aliasOf(client, model) === null ? model : null }, parts);
}

type Asked = Pick<ModelQuestion, "model">;

function ownAgentQuestion(harness: string, model: string | null, machine: Machine): ModelQuestion | null {
  if (harness !== "builtin" && harness !== "classifier") return null;
  return keyQuestion("model", agentService(model, machine), machine);
}

function clientQuestion(
  subject: ModelQuestion["subject"],
  { client, model }: Asked & { readonly client: LoginClient },
  { machine, logins }: Parts,
): ModelQuestion | null {
  const access = logins.access[client];
  if (access.kind === "login") return loginQuestion(subject, { client, model, login: access.login });
  if (access.kind !== "key" && access.kind !== "server") return null;
  return keyQuestion(subject, { provider: providerOf(client), model }, machine);
}

/** The way that the gateway goes for this client, with what the client itself would add. */
function loginQuestion(
  subject: ModelQuestion["subject"],
  { client, model, login }: Asked & { client: LoginClient; login: Extract<Login, { status: "usable" }> },
): ModelQuestion {
  const { upstream, source } = login;
  return {
    subject,
    upstream: { ...upstream, headers: { ...upstream.headers, ...AS_CLIENT[client] } },
    service: providerOf(client),
    model,
    credential: `your login from ${source}`,
    renew: source === TOKEN ? `run claude setup-token and export ${TOKEN} again` : RENEW[client],
  };
}

const TOKEN = "CLAUDE_CODE_OAUTH_TOKEN";
const AS_CLIENT = { claude: { "anthropic-beta": "oauth-2025-04-20" }, codex: {} } as const;
const RENEW = { claude: "run claude and /login", codex: "run codex login" } as const;

function keyQuestion(
  subject: ModelQuestion["subject"],
  { provider, model }: Asked & { readonly provider: string },
  machine: Machine,
): ModelQuestion | null {
  const upstream = upstreamsOf(machine).find(({ name }) => name === provider);
  if (upstream === undefined) return null;
  const variables = VARIABLES[provider] ?? [];
  const held = variables.find((name) => filled(machine.env[name]) !== null);
  return {
    subject,
    upstream,
    service: provider,
    model,
    credential: held === undefined ? "a request without a key" : `the key in ${held}`,
    renew: held === undefined ? `set ${variables[0]}` : `set ${held} to a valid key`,
  };
}

const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  openai: ["OPENAI_API_KEY", "CODEX_API_KEY"],
  "openai-compatible": ["ASSAY_MODEL_KEY"],
};
