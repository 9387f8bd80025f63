import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, it } from "vitest";
import { SAYS, simFor } from "./sim/test-client.ts";
import { gatewayTo } from "./test-gateway.ts";

/** `fetch` sets both headers itself, so this does not use it. */
async function ask(url: string, headers: Readonly<Record<string, string>>, body: object): Promise<number> {
  const asked = request(url, { method: "POST", headers });
  asked.end(JSON.stringify(body));
  const [reply] = (await once(asked, "response")) as [IncomingMessage];
  reply.resume();
  return reply.statusCode ?? 0;
}

it.each([
  [{ host: "evil.example" }, 403],
  [{ host: "127.0.0.1.evil.example:80" }, 403],
  [{ origin: "https://evil.example" }, 403],
  [{ origin: "null" }, 403],
  [{ host: "localhost:1234" }, 200],
  [{ host: "[::1]:80" }, 200],
  [{ origin: "http://localhost:3000" }, 200],
  [{}, 200],
])("a caller with a token and %j is answered with %d", async (headers, status) => {
  await using sim = await simFor('replies: ["hello"]');
  await using to = await gatewayTo(sim.url);
  const [path, body] = SAYS.messages("hi", false);
  expect(await ask(to.url + path, { ...to.headers, ...headers }, body)).toBe(status);
});
