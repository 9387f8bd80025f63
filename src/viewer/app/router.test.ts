import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, placeOf } from "./router.ts";

describe("the address of a place", () => {
  it("is read back as what it was made from", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("overview", "iteration", "run"),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ minLength: 1, unit: "grapheme" })),
        (screen, settings) => {
          expect(placeOf(addressOf(screen, settings))).toEqual({ screen, settings: { ...settings } });
        },
      ),
    );
  });

  it("leaves out what is not set", () => {
    expect(addressOf("run", { skill: "a b", n: 7, q: "", f: null })).toBe("run?skill=a%20b&n=7");
    expect(addressOf("run", { quote: "cut \ud83d" })).toBe("run?quote=cut%20%EF%BF%BD");
    expect(placeOf("")).toEqual({ screen: "", settings: {} });
  });
});
