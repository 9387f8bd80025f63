import type { JsonSchema } from "../lib/shape/shape.ts";
import { WIRES } from "../wires/index.ts";
import { asObjectSchema, schemaInstruction } from "../wires/structured.ts";
import type { ModelReply, ModelRequest, Provider } from "./provider.ts";
import { type ServiceDialect, service, type ServiceOptions } from "./service.ts";

/**
 * Chat Completions at any address: Ollama, vLLM, llama.cpp, a router. The schema of a structured answer is always told in
 * words too, because some servers pass over `response_format` in silence; one that refuses it is not sent it again.
 */
export function openaiCompatible(options: ServiceOptions): Provider {
  const chat = service(DIALECT, options);
  let takesSchema: boolean | null = null;
  return {
    name: chat.name,
    async complete(request, signal): Promise<ModelReply> {
      if (request.schema === null) return chat.complete(request, signal);
      const { schema } = request;
      if (takesSchema !== false) {
        const reply = await chat.complete(instructed(request, asObjectSchema(schema)), signal);
        if (reply.status === "answered") takesSchema = true;
        if (takesSchema === true || !mayBeTheSchema(reply)) return reply;
      }
      const reply = await chat.complete({ ...instructed(request, schema), schema: null }, signal);
      if (reply.status === "answered") takesSchema = false;
      return reply;
    },
  };
}

const DIALECT: ServiceDialect = {
  name: "openai-compatible",
  url: (baseUrl) => `${new URL(baseUrl).pathname === "/" ? `${baseUrl}/v1` : baseUrl}/chat/completions`,
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  client: WIRES.chat.client,
};

function instructed(request: ModelRequest, schema: JsonSchema): ModelRequest {
  const words = schemaInstruction(schema);
  return { ...request, system: request.system === null ? words : `${request.system}\n\n${words}` };
}

/** Servers have no common word for "I do not know response_format". */
function mayBeTheSchema(reply: ModelReply): boolean {
  return reply.status === "failed" && [400, 415, 422, 501].includes(reply.httpStatus ?? 0);
}
