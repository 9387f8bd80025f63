import { UserError } from "../domain/user-error.ts";
import { anthropic } from "./anthropic.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { openai } from "./openai.ts";
import type { Provider } from "./provider.ts";
import type { ServiceOptions } from "./service.ts";

export const PROVIDER_NAMES = ["anthropic", "openai", "openai-compatible"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** A provider by name; without an address, at the service's own. */
export function connect(
  name: ProviderName,
  options: Omit<ServiceOptions, "baseUrl"> & { readonly baseUrl: string | null },
): Provider {
  const baseUrl = options.baseUrl ?? OWN_ADDRESS[name];
  if (baseUrl === null) {
    throw new UserError("providers/no-url", `${name} needs the address of a server`, {
      hint: "for example http://localhost:11434/v1 for Ollama",
    });
  }
  return MAKERS[name]({ ...options, baseUrl });
}

const OWN_ADDRESS: Readonly<Record<ProviderName, string | null>> = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
  "openai-compatible": null,
};

const MAKERS: Readonly<Record<ProviderName, (options: ServiceOptions) => Provider>> = {
  anthropic,
  openai,
  "openai-compatible": openaiCompatible,
};
