import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leftOut } from "../domain/left-out.ts";
import { aRun } from "../../test/support/runs.ts";
import { firedIn, isValid, othersIn, probeName } from "./probe.ts";

const activated = (...skills: string[]) =>
  aRun({ activations: skills.map((skill, event) => ({ skill, by: "tool" as const, event })) });

describe("probeName", () => {
  it("is the skill's name with eight hex digits that only the trial decides", () => {
    expect(probeName("greeter", { key: "a" })).toMatch(/^greeter-[0-9a-f]{8}$/);
    expect(probeName("greeter", { key: "a" })).toBe(probeName("greeter", { key: "a" }));
    expect(probeName("greeter", { key: "a" })).not.toBe(probeName("greeter", { key: "b" }));
  });

  it("is never longer than clients take, nor does it end a part with a hyphen", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,127}$/, { size: "max" }),
        fc.string(),
        (name, key) => {
          const probe = probeName(name, { key });
          expect(probe.length).toBeLessThanOrEqual(64);
          expect(probe).toMatch(/[a-z0-9]-[0-9a-f]{8}$/);
          expect(name.startsWith(probe.slice(0, -9))).toBe(true);
        },
      ),
    );
  });
});

describe("what a run shows", () => {
  it.each([
    ["the probe itself", ["greeter-0"], true],
    ["the probe in a plugin", ["plug:greeter-0"], true],
    ["the skill's own name", ["greeter"], false],
    ["a name that only begins so", ["greeter-01"], false],
    ["another skill first", ["adder", "greeter-0"], true],
    ["nothing", [], false],
  ])("%s", (_, skills, fired) => {
    expect(firedIn({ run: activated(...skills), probe: "greeter-0" })).toBe(fired);
  });

  it("names each other skill once, in order", () => {
    const run = activated("b", "greeter-0", "a", "b");
    expect(othersIn({ run, probe: "greeter-0" })).toEqual(["b", "a"]);
  });

  it.each([
    [{ status: "completed" } as const, true],
    [{ status: "max-turns", message: "" } as const, true],
    [{ status: "interactive", cause: "question", message: "" } as const, true],
    [leftOut("invalid", ""), false],
    [leftOut("api", ""), false],
    [leftOut("auth", ""), false],
  ])("$status", (outcome, valid) => {
    expect(isValid({ run: aRun({ outcome }), probe: "p" })).toBe(valid);
  });
});
