import { describe, expect, it } from "vitest";
import { bestInstalled } from "./choose-harness.ts";
import { agentClients } from "./harnesses/index.ts";

describe("auto", () => {
  const choose = (...programs: readonly string[]) =>
    bestInstalled(agentClients, ({ program }) => programs.includes(program)).name;

  it.each([
    [["claude"], "claude-code"],
    [["codex"], "codex"],
    [["codex", "claude"], "claude-code"],
    [["gemini", "codex"], "codex"],
  ])("with %j on PATH is %s", (programs, name) => {
    expect(choose(...programs)).toBe(name);
  });

  it.each([
    ["codex", "codex"],
    ["claude", "claude-code"],
    ["neither", "claude-code"],
  ])("with both on PATH and a key or login for %s is %s", (able, name) => {
    expect(
      bestInstalled(
        agentClients,
        () => true,
        ({ program }) => program === able,
      ).name,
    ).toBe(name);
  });

  it("says how to install one where there is none", () => {
    expect(() => choose()).toThrowError(
      expect.objectContaining({
        name: "UserError",
        message:
          "no agent found: neither claude nor codex is on PATH, and neither ASSAY_CLAUDE nor ASSAY_CODEX points to one",
        hint: expect.stringMatching(/claude-code, or npm install -g @openai\/codex/),
      }),
    );
  });
});

describe("the clients", () => {
  it("bear the names of their harnesses, and tell how to install what is missing", async () => {
    for (const client of agentClients) {
      const unasked = (): never => {
        throw new Error("a client asks for none of this");
      };
      const harness = await client.create({
        env: { PATH: "/nonexistent" },
        cwd: "/",
        model: null,
        service: unasked,
        command: unasked,
        script: unasked,
        loggedIn: async () => false,
        versionOf: async () => null,
      });
      expect(harness.name).toBe(client.name);
      await expect(harness.find()).rejects.toMatchObject({
        code: "run/no-client",
        hint: expect.stringContaining(client.install),
      });
    }
  });
});
