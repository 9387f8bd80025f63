import { describe, expect, it } from "vitest";
import { UserError } from "../domain/user-error.ts";
import { names, positive, shard, text, wholeNumber } from "./kind.ts";
import { option, settle } from "./table.ts";

const TABLE = {
  runs: option("--runs <n>", wholeNumber(1), "repetitions"),
  maxCostUsd: option("--max-cost <usd>", positive, "the most to pay"),
  shard: option("--shard <i/n>", shard, "a part of the trials"),
  cases: option("--case <ids>", names, "only these"),
  workspace: option("--workspace <dir>", text, "where results go", { env: ["WORKSPACE"] }),
};
const cyclic: unknown[] = [];
cyclic.push(cyclic);

describe("settling options", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["a number that is none", { runs: Number.NaN }, "option runs: NaN is invalid."],
    ["a big number", { runs: 3n }, "option runs: 3 is invalid."],
    ["a list that holds itself", { runs: cyclic }, "option runs: a list is invalid."],
    ["a function", { runs: () => 3 }, "option runs: () => 3 is invalid."],
    ["a text for a list", { cases: "a" }, "It must be a list of one or more names."],
    ["an empty list", { cases: [] }, "It must be a list of one or more names."],
    ["a NUL in a path", { workspace: "a\0b" }, "without NUL characters"],
    ["a part beyond the last", { shard: "3/2" }, "It must be i/n with i from 1 to n"],
  ])("refuses %s in words", (_, given, words) => {
    const settled = () => settle(TABLE, given, { env: {} });
    expect(settled).toThrow(UserError);
    expect(settled).toThrow(words);
  });

  it("refuses an option that throws when it is read", () => {
    const given = Object.defineProperty({}, "runs", {
      enumerable: true,
      get() {
        throw new Error("it broke");
      },
    });
    expect(() => settle(TABLE, given, { env: {} })).toThrow("option runs cannot be read: it broke");
  });

  it("takes a shard as people write it, and as its two numbers", () => {
    expect(settle(TABLE, { shard: "2/4" as never }, { env: {} }).shard).toEqual({ index: 2, count: 4 });
    expect(settle(TABLE, { shard: { index: 2, count: 4 } }, { env: {} }).shard).toEqual({
      index: 2,
      count: 4,
    });
  });

  it.each([
    ["maxCost", "did you mean maxCostUsd?"],
    ["run", "did you mean runs?"],
    ["zzz", "the options are cases, maxCostUsd, runs, shard, workspace"],
  ])("points from %s to what is there", (name, hint) => {
    const settled = () => settle(TABLE, { [name]: 1 }, { env: {} });
    expect(settled).toThrow(expect.objectContaining({ code: "options/unknown", hint }));
  });

  it("takes the caller's word, then the environment's, then the configuration's, then the default", () => {
    const row = { workspace: { ...TABLE.workspace, config: "workspace", otherwise: "default" } };
    const sources = { env: { WORKSPACE: "env" }, config: { workspace: "config" } };
    expect(settle(row, { workspace: "caller" }, sources)).toEqual({ workspace: "caller" });
    expect(settle(row, {}, sources)).toEqual({ workspace: "env" });
    expect(settle(row, {}, { ...sources, env: { WORKSPACE: " " } })).toEqual({ workspace: "config" });
    expect(settle(row, {}, { env: {} })).toEqual({ workspace: "default" });
  });
});
