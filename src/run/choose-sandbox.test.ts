import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { UserError } from "../domain/user-error.ts";
import type { Sandbox } from "./sandbox.ts";
import { findSandbox } from "./choose-sandbox.ts";
import { none } from "./sandboxes/none.ts";

describe("choosing a sandbox", () => {
  it("takes the best that works and has nothing to say about it", async () => {
    const choice = await findSandbox("auto", tmpdir(), [candidate("best", null), candidate("second", null)]);
    expect(choice.name).toBe("best");
    expect(choice.note).toBeNull();
  });

  it("says why it had to take a lesser one, and what that means", async () => {
    const contained = await findSandbox("auto", tmpdir(), [
      candidate("best", "not installed"),
      candidate("second", null),
    ]);
    expect(contained.note).toMatchInlineSnapshot(
      `"running with sandbox second, so agents are contained but can read this machine's files (best does not work here: not installed)"`,
    );
  });

  it("never chooses none by itself, and says how the user can", async () => {
    const choosing = findSandbox("auto", tmpdir(), [
      candidate("best", "not installed"),
      candidate("second", "forbidden"),
      { name: "none", create: none },
    ]);
    await expect(choosing).rejects.toMatchObject({
      code: "run/no-sandbox",
      message:
        "no sandbox works here, so nothing was run: best does not work here: not installed; second does not work here: forbidden",
      hint: expect.stringContaining("--sandbox none") as string,
    });
  });

  it("says what none means when it is asked for", async () => {
    expect((await findSandbox("none", tmpdir())).note).toBe(
      "running without a sandbox: agents can read and change this machine's files, as you can",
    );
  });

  it("says what the one it takes does not hold", async () => {
    const { name, create } = candidate("second", null);
    const second = { name, create: () => ({ ...create(), caution: "root can do more" }) };
    expect((await findSandbox("second", tmpdir(), [second])).note).toBe("root can do more");
    const lesser = await findSandbox("auto", tmpdir(), [candidate("best", "not installed"), second]);
    expect(lesser.note).toMatch(/\(best does not work here: not installed\); root can do more$/);
  });

  it("takes the one asked for, without a word about better ones", async () => {
    const choice = await findSandbox("second", tmpdir(), [
      candidate("best", null),
      candidate("second", null),
    ]);
    expect(choice).toMatchObject({ name: "second", note: null });
  });

  it("refuses one that does not work, never falling back", async () => {
    const choosing = findSandbox("best", tmpdir(), [
      candidate("best", "no user namespaces"),
      candidate("second", null),
    ]);
    await expect(choosing).rejects.toThrow(UserError);
    await expect(choosing).rejects.toThrow("the sandbox best does not work here: no user namespaces");
  });

  it("refuses one it does not know and names the nearest", async () => {
    await expect(findSandbox("bwarp", tmpdir())).rejects.toMatchObject({
      code: "run/unknown-sandbox",
      hint: `did you mean "bwrap"?`,
    });
    await expect(findSandbox("docker", tmpdir())).rejects.toMatchObject({
      hint: "choose one of auto, bwrap, sandbox-runtime, unshare, none",
    });
  });

  it("always finds one here", async () => {
    expect(["bwrap", "sandbox-runtime", "unshare", "none"]).toContain(
      (await findSandbox("auto", tmpdir())).name,
    );
  });
});

function candidate(name: string, unavailable: string | null): { name: string; create: () => Sandbox } {
  return { name, create: () => ({ ...none(), name, contained: true, unavailable: async () => unavailable }) };
}
