import { WIRES } from "../wires/index.ts";
import type { Provider } from "./provider.ts";
import { type ServiceDialect, service, type ServiceOptions } from "./service.ts";

/** Anthropic Messages. */
export function anthropic(options: ServiceOptions): Provider {
  return service(DIALECT, { ...options, headers: { "anthropic-version": "2023-06-01", ...options.headers } });
}

const DIALECT: ServiceDialect = {
  name: "anthropic",
  takesImages: true,
  url: (baseUrl) => `${baseUrl.replace(/\/v1$/, "")}/v1/messages`,
  headers: (key) => ({ "x-api-key": key }),
  client: WIRES.messages.client,
};
