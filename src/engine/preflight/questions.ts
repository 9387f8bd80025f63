import { inferProvider } from "../../domain/grading-provider.ts";
import type { Plan } from "../../domain/plan.ts";
import type { Case } from "../../domain/suite.ts";
import type { Upstream } from "../../gateway/upstream.ts";
import type { Machine } from "../../machine.ts";
import type { Logins } from "../logins/access.ts";
import { clientOf } from "../logins/upstreams.ts";
import { agentService } from "../models/agent-provider.ts";
import type { JudgeFinder } from "../models/judges.ts";
import { upstreamsOf } from "../models/upstreams.ts";
import type { ModelQuestion } from "./model.ts";

interface Parts {
  readonly machine: Machine;
  readonly logins: Logins;
}

/** What to ask the agent's service; null where it cannot say: a login may run models, and not list them. */
export function agentQuestion(
  { harness, model }: Pick<Plan, "harness" | "model">,
  { machine, logins }: Parts,
): ModelQuestion | null {
  const client = clientOf(harness);
  if (client === null) return ownAgentQuestion(harness, model, machine);
  const access = logins.access[client];
  if (access.kind !== "key" && access.kind !== "server") return null;
  const provider = client === "claude" ? "anthropic" : "openai";
  // Clients have names of their own, such as sonnet, which their services do not know.
  const asked = model !== null && inferProvider(model) === provider ? model : null;
  return questionFor("model", provider, { model: asked, variable: access.variable, machine });
}

function ownAgentQuestion(harness: string, model: string | null, machine: Machine): ModelQuestion | null {
  if (harness !== "builtin" && harness !== "classifier") return null;
  const service = agentService(model, machine);
  return questionFor("model", service.provider, {
    model: service.model,
    variable: VARIABLES[service.provider] ?? "",
    machine,
  });
}

/** What to ask the services of judges that are asked directly. */
export function judgeQuestions(
  cases: readonly Pick<Case, "settings">[],
  { find, machine }: Pick<Parts, "machine"> & { readonly find: JudgeFinder },
): readonly ModelQuestion[] {
  return cases
    .flatMap((one) => find.choices(one))
    .filter(({ transport }) => transport === "api")
    .flatMap(
      ({ provider, model }) =>
        questionFor("judge", provider, { model, variable: VARIABLES[provider] ?? "", machine }) ?? [],
    );
}

const VARIABLES: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  "openai-compatible": "ASSAY_MODEL_KEY",
};

function questionFor(
  subject: ModelQuestion["subject"],
  provider: string,
  { machine, ...asked }: Pick<ModelQuestion, "model" | "variable"> & { readonly machine: Machine },
): ModelQuestion | null {
  const upstream: Upstream | undefined = upstreamsOf(machine).find(({ name }) => name === provider);
  return upstream === undefined ? null : { subject, upstream, ...asked };
}
