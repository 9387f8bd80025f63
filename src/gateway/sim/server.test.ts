import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { UserError } from "../../domain/user-error.ts";
import { listAt, objectAt, textAt } from "../../wires/loose.ts";
import { post, SAYS, simFor } from "./test-client.ts";
import { MESSAGES_PATH, HELLO, later } from "./fixtures/requests.ts";

describe("twenty conversations at once", () => {
  it("each hear only their own answers", async () => {
    await using sim = await simFor(`
- { when: { userText: ping }, fault: { chunkDelayMs: 2 }, steps: [ "a {{userText /ping-\\\\d+/}}", "b {{toolResult}}" ] }
`);
    const talk = async (n: number): Promise<void> => {
      const [path, body] = SAYS.messages(`ping-${n}`, true);
      const first = await post(sim.url + path, body);
      expect(heard(first.events)).toBe(`a ping-${n}`);
      const messages = [
        ...listAt(body, "messages"),
        { role: "assistant", content: [{ type: "tool_use", id: `t${n}`, name: "Bash", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: `t${n}`, content: `out-${n}` }] },
      ];
      expect(heard((await post(sim.url + path, { ...body, messages })).events)).toBe(`b out-${n}`);
    };
    await Promise.all(Array.from({ length: 20 }, (_, n) => talk(n)));
    expect(sim.requests).toHaveLength(40);
    const ids = new Set(sim.requests.map((seen) => seen.index));
    expect(ids.size).toBe(40);
  });
});

function heard(events: Awaited<ReturnType<typeof post>>["events"]): string {
  return events.map((event) => textAt(objectAt(event, "delta"), "text")).join("");
}

describe("start and end", () => {
  it("listens on loopback only and says when a port is taken", async () => {
    await using sim = await simFor("replies: [x]");
    expect(sim.url).toBe(`http://127.0.0.1:${sim.port}`);
    await expect(simFor("replies: [x]", { port: sim.port })).rejects.toThrow(/port is in use/);
    await expect(simFor("replies: [x]", { logFile: "/nonexistent/dir/log" })).rejects.toThrow(UserError);
  });

  it("closes with streams open and leaves nothing behind", async () => {
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((kind) => /^TCP(?:Server|Socket)Wrap$/.test(kind)).length;
    const before = sockets();
    const sim = await simFor(
      "[{ when: { userText: wait }, fault: { delayMs: 60000 } }, { reply: x, fault: { stall: true } }]",
    );
    const open = [SAYS.messages("x", true), SAYS.chat("wait", true)].map(([path, body]) =>
      raw(sim.port, path, JSON.stringify(body)),
    );
    await expect.poll(() => sim.requests.length).toBe(2);
    const started = performance.now();
    await Promise.all([sim.close(), sim.close(), sim[Symbol.asyncDispose]()]);
    expect(performance.now() - started).toBeLessThan(5000);
    await Promise.all(open);
    expect(sim.requests.map((seen) => seen.end)).toEqual(["cut", "cut"]);
    await expect.poll(sockets).toBeLessThanOrEqual(before);
    await expect(fetch(sim.url)).rejects.toThrow("fetch failed");
  });

  it("is not harmed by a client that leaves in the middle of its request", async () => {
    await using sim = await simFor("replies: [x]");
    const half = request({
      port: sim.port,
      host: "127.0.0.1",
      method: "POST",
      path: MESSAGES_PATH,
      headers: { "content-length": 100 },
    });
    half.on("error", () => {});
    half.write("{");
    await later(30);
    half.destroy();
    expect((await post(sim.url + MESSAGES_PATH, HELLO)).status).toBe(200);
  });
});

/** Without the connection pool of `fetch`. */
function raw(port: number, path: string, body: string): Promise<void> {
  return new Promise((resolve) => {
    const sent = request({ port, host: "127.0.0.1", method: "POST", path, agent: false }, (response) =>
      response.resume(),
    );
    sent.on("error", () => {});
    sent.on("close", () => resolve());
    sent.end(body);
  });
}
