import { describe, expect, it } from "vitest";
import { memo } from "./memo.ts";

/** Makes something new at each call; what it is asked for first fails that many times. */
function maker(failures = 0) {
  const asked: string[] = [];
  const make = (name: string) => {
    asked.push(name);
    if (asked.length <= failures) throw new Error(`no ${name}`);
    return { name };
  };
  return { asked, make };
}

describe("what is made once", () => {
  it("is the same thing for all who ask for it", () => {
    const { asked, make } = maker();
    const once = memo(make);
    expect(once("a")).toBe(once("a"));
    expect(once("b")).not.toBe(once("a"));
    expect(asked).toEqual(["a", "b"]);
  });

  it("is known by its key", () => {
    const { asked, make } = maker();
    const once = memo(
      ({ name }: { name: string; why: string }) => make(name),
      ({ name }) => name,
    );
    expect(once({ name: "a", why: "first" })).toBe(once({ name: "a", why: "second" }));
    expect(asked).toEqual(["a"]);
  });

  it.each([[null], [undefined], [false]])("may be %s", (nothing) => {
    let calls = 0;
    const once = memo(() => {
      calls++;
      return nothing;
    });
    expect([once("a"), once("a")]).toEqual([nothing, nothing]);
    expect(calls).toBe(1);
  });

  it("is made anew after a failure", () => {
    const { asked, make } = maker(1);
    const once = memo(make);
    expect(() => once("a")).toThrow("no a");
    expect(once("a")).toBe(once("a"));
    expect(asked).toEqual(["a", "a"]);
  });
});

describe("what takes time", () => {
  it("is waited for by all who ask meanwhile, also where it fails", async () => {
    const { asked, make } = maker(1);
    const once = memo(async (name: string) => make(name));
    const both = await Promise.allSettled([once("a"), once("a")]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(asked).toEqual(["a"]);
  });

  it("is made anew after a failure, and then kept", async () => {
    const { asked, make } = maker(1);
    const once = memo(async (name: string) => make(name));
    await expect(once("a")).rejects.toThrow("no a");
    expect(await once("a")).toBe(await once("a"));
    expect(asked).toEqual(["a", "a"]);
  });
});
