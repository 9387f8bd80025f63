import { UserError } from "../../domain/user-error.ts";
import { inferProvider } from "../../domain/grading-provider.ts";
import { connect, type ProviderName } from "../../providers/connect.ts";
import type { Provider } from "../../providers/provider.ts";
import type { Endpoint } from "../../run/harness.ts";
import type { Machine } from "../../machine.ts";
import { REPLAYED, upstreamsOf } from "./upstreams.ts";

/** Which service a model of ours is asked at: by its name, else the only one there is, else the first. */
export interface AgentService {
  readonly provider: ProviderName;
  readonly model: string;
  readonly connect: (endpoint: Endpoint | null) => Provider;
}

const DEFAULT_MODELS: Readonly<Record<ProviderName, string | null>> = {
  anthropic: "claude-sonnet-4-6",
  openai: "gpt-5.4",
  "openai-compatible": null,
};

export function agentService(wanted: string | null, machine: Machine, replay = false): AgentService {
  const known = replay ? REPLAYED : upstreamsOf(machine);
  const upstreams = known.filter((one) => one.name !== "gemini");
  const provider = ((wanted === null ? null : inferProvider(wanted)) ??
    upstreams.at(-1)?.name ??
    null) as ProviderName | null;
  const upstream =
    upstreams.find((one) => one.name === provider) ??
    upstreams.find((one) => one.name === "openai-compatible");
  if (provider === null || upstream === undefined) {
    throw new UserError("run/no-service", "the builtin agent needs a model service, and none is configured", {
      hint: "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or ASSAY_MODEL_URL for a local server, e.g. http://localhost:11434/v1",
    });
  }
  const name = upstream.name as ProviderName;
  const model = wanted ?? DEFAULT_MODELS[name];
  if (model === null) {
    throw new UserError("run/no-model", `${name} has no default model`, { hint: "choose one with --model" });
  }
  return {
    provider: name,
    model,
    connect: (endpoint) =>
      connect(
        name,
        endpoint === null
          ? { baseUrl: upstream.baseUrl, key: upstream.key }
          : { baseUrl: `${endpoint.baseUrl}/v1`, key: endpoint.token, patience: { attempts: 1 } },
      ),
  };
}
