import { describe, expect, it } from "vitest";
import { UserError } from "../domain/user-error.ts";
import { fromPlugin, fromPluginLater } from "./from-plugin.ts";

const PART = { kind: "judge", name: "mine" } as const;
const FAILURE = {
  name: "UserError",
  code: "config/plugin-failed",
  message: "the judge mine in your configuration failed: no key",
  hint: expect.stringContaining("docs/extend/judge.md"),
};

/** What making it throws, at once and later. */
async function thrown(make: () => unknown): Promise<readonly unknown[]> {
  const atOnce = new Promise((resolve) => resolve(fromPlugin(PART, make)));
  const later = fromPluginLater(PART, async () => make());
  return Promise.all([atOnce, later].map((one) => one.catch((error: unknown) => error)));
}

describe("a part of the user's configuration", () => {
  it("is what it made", async () => {
    expect(fromPlugin(PART, () => 42)).toBe(42);
    expect(await fromPluginLater(PART, async () => 42)).toBe(42);
  });

  it("is named where it fails, with the cause", async () => {
    const cause = new Error("no key");
    const errors = await thrown(() => {
      throw cause;
    });
    expect(errors).toMatchObject([
      { ...FAILURE, cause },
      { ...FAILURE, cause },
    ]);
  });

  it("may throw what is no error", async () => {
    const errors = await thrown(() => {
      // oxlint-disable-next-line typescript/only-throw-error -- plug-ins may
      throw "no key";
    });
    expect(errors).toMatchObject([FAILURE, FAILURE]);
  });

  it("may speak to the user in its own words", async () => {
    const own = new UserError("mine/no-key", "set MY_KEY");
    const errors = await thrown(() => {
      throw own;
    });
    expect(errors.every((error) => error === own)).toBe(true);
  });
});
