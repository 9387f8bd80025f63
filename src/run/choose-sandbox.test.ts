import { describe, expect, it } from "vitest";
import { UserError } from "../domain/user-error.ts";
import type { Sandbox } from "./sandbox.ts";
import { chooseFrom, chooseSandbox } from "./choose-sandbox.ts";
import { none } from "./sandboxes/none.ts";

describe("choosing a sandbox", () => {
  it("takes the best that works and has nothing to say about it", async () => {
    const choice = await chooseFrom([candidate("best", null), candidate("second", null)], "auto");
    expect(choice.sandbox.name).toBe("best");
    expect(choice.note).toBeNull();
  });

  it("says why it had to take a lesser one, and what that means", async () => {
    const contained = await chooseFrom(
      [candidate("best", "not installed"), candidate("second", null)],
      "auto",
    );
    expect(contained.note).toMatchInlineSnapshot(
      `"running with sandbox second, so agents are contained but can read this machine's files (best does not work here: not installed)"`,
    );
    const bare = await chooseFrom(
      [candidate("best", "not installed"), candidate("second", "forbidden"), { name: "none", create: none }],
      "auto",
    );
    expect(bare.note).toMatchInlineSnapshot(
      `"running with sandbox none, so agents can read and change this machine's files (best does not work here: not installed; second does not work here: forbidden)"`,
    );
  });

  it("takes the one asked for, without a word about better ones", async () => {
    const choice = await chooseFrom([candidate("best", null), candidate("second", null)], "second");
    expect(choice).toMatchObject({ sandbox: { name: "second" }, note: null });
  });

  it("refuses one that does not work, never falling back", async () => {
    const choosing = chooseFrom([candidate("best", "no user namespaces"), candidate("second", null)], "best");
    await expect(choosing).rejects.toThrow(UserError);
    await expect(choosing).rejects.toThrow("the sandbox best does not work here: no user namespaces");
  });

  it("refuses one it does not know and names the nearest", async () => {
    await expect(chooseSandbox("bwarp")).rejects.toMatchObject({
      code: "run/unknown-sandbox",
      hint: `did you mean "bwrap"?`,
    });
    await expect(chooseSandbox("docker")).rejects.toMatchObject({
      hint: "choose one of auto, bwrap, unshare, none",
    });
  });

  it("always finds one here", async () => {
    expect(["bwrap", "unshare", "none"]).toContain((await chooseSandbox("auto")).sandbox.name);
  });
});

function candidate(name: string, unavailable: string | null): { name: string; create: () => Sandbox } {
  return { name, create: () => ({ ...none(), name, contained: true, unavailable: async () => unavailable }) };
}
