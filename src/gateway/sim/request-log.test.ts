import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillOffered } from "./request-log.ts";
import { post, simFor } from "./test-client.ts";
import { MESSAGES_PATH, HELLO } from "./fixtures/requests.ts";

describe("the request log", () => {
  it("hides keys, keeps bodies, and goes to a file and a listener", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sim-log-"));
    try {
      const logFile = join(folder, "log.jsonl");
      const heardOf: string[] = [];
      const sim = await simFor("replies: [x]", {
        logFile,
        log: (seen) => heardOf.push(`${seen.method} ${seen.status}`),
        now: () => new Date("2026-01-02T03:04:05Z"),
      });
      await post(`${sim.url}/v1/messages?key=sk-very-secret`, HELLO, {
        headers: {
          authorization: "Bearer sk-very-secret",
          "x-api-key": "sk-very-secret",
          "x-goog-api-key": "sk-very-secret",
        },
      });
      await sim.close();
      const written = await readFile(logFile, "utf8");
      expect(written).not.toContain("sk-very-secret");
      const lines = written
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
      expect(lines).toMatchObject([
        {
          index: 0,
          time: "2026-01-02T03:04:05.000Z",
          path: "/v1/messages?key=[hidden]",
          body: HELLO,
          rule: "reply 1",
          end: "complete",
        },
      ]);
      expect(lines).toEqual(JSON.parse(JSON.stringify(sim.requests)));
      expect(heardOf).toEqual(["POST 200"]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("knows whether a skill was offered in the first request", async () => {
    await using sim = await simFor("replies: [x]");
    expect(skillOffered(sim.requests, "one")).toBeNull();
    const system = "The following skills are available for use with the Skill tool:\n\n- one: first";
    await post(
      sim.url + MESSAGES_PATH,
      { ...HELLO, system },
      { headers: { "x-claude-code-session-id": "a" } },
    );
    await post(sim.url + MESSAGES_PATH, HELLO, { headers: { "x-claude-code-session-id": "b" } });
    expect(skillOffered(sim.requests, "one")).toBe(true);
    expect(skillOffered(sim.requests, "two")).toBe(false);
    expect(skillOffered(sim.requests, "one", { conversation: "b" })).toBe(false);
  });

  it("is bounded", async () => {
    await using sim = await simFor("[{ reply: x }]");
    const body = { ...HELLO, padding: "p".repeat(3_900_000) };
    for (let i = 0; i < 20; i++) await post(sim.url + MESSAGES_PATH, body);
    const kept = sim.requests.filter((seen) => seen.body !== null);
    expect(sim.requests).toHaveLength(20);
    expect(kept.length * 3_900_000).toBeLessThan(65 * 1024 * 1024);
    expect(kept.at(-1)).toBe(sim.requests.at(-1));
  });
});
