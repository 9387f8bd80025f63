import { WIRES } from "../wires/index.ts";
import type { Provider } from "./provider.ts";
import { type ServiceDialect, service, type ServiceOptions } from "./service.ts";

/** OpenAI Responses, with the reply's schema enforced by the service where it can say it. */
export function openai(options: ServiceOptions): Provider {
  return service(DIALECT, options);
}

const DIALECT: ServiceDialect = {
  name: "openai",
  takesImages: true,
  url: (baseUrl) => `${baseUrl.replace(/\/v1$/, "")}/v1/responses`,
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  client: WIRES.responses.client,
};
