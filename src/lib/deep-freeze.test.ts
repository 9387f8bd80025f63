import { describe, expect, it } from "vitest";
import { deepFreeze } from "./deep-freeze.ts";

describe("deepFreeze", () => {
  const frozen = () => {
    const value = { list: [{ a: 1 }], map: new Map([["k", { b: [2] }]]), set: new Set([{ c: 3 }]) };
    deepFreeze(value);
    return value;
  };

  it.each<[string, (value: ReturnType<typeof frozen>) => unknown]>([
    ["a field", (value) => Object.assign(value, { list: [] })],
    ["an entry of a list", (value) => value.list.push({ a: 2 })],
    ["what is in a list", (value) => Object.assign(value.list[0] ?? {}, { a: 2 })],
    ["an entry of a map", (value) => value.map.set("k", { b: [] })],
    ["all of a map", (value) => value.map.clear()],
    ["what is in a map", (value) => value.map.get("k")?.b.push(3)],
    ["a new entry of a map", (value) => value.map.delete("k")],
    ["an entry of a set", (value) => value.set.add({ c: 4 })],
    ["all of a set", (value) => value.set.clear()],
    ["what is in a set", (value) => Object.assign([...value.set][0] ?? {}, { c: 4 })],
  ])("lets nobody change %s", (_, change) => {
    const value = frozen();
    expect(() => change(value)).toThrow(TypeError);
    expect(value).toEqual(frozen());
  });

  it("leaves everything to be read", () => {
    const { map, set } = frozen();
    expect([...map.entries()]).toEqual([["k", { b: [2] }]]);
    expect(set.size).toBe(1);
    expect(new Map(map).set("other", { b: [] }).size).toBe(2);
  });

  it("ends where a value holds itself", () => {
    const value: { self?: unknown } = {};
    value.self = value;
    deepFreeze(value);
    expect(Object.isFrozen(value)).toBe(true);
  });
});
