import { expect, it } from "vitest";
import { DEFAULT_LIMITS, excessText, limitsText, readLimits, strictest } from "./limits.ts";

it("reads what it writes", () => {
  expect(readLimits(limitsText(DEFAULT_LIMITS))).toEqual(DEFAULT_LIMITS);
  expect(limitsText(readLimits("memory=none, disk=1.5gb, files=7") ?? DEFAULT_LIMITS)).toBe(
    "memory=none,processes=2048,disk=1536MB,output=256MB,files=7",
  );
});

it.each([
  "",
  "memory",
  "memory=",
  "memory=0",
  "memory=-1GB",
  "memory=1TB",
  "ram=1GB",
  "processes=1GB",
  "a=1,",
])("refuses %j", (text) => {
  expect(readLimits(text)).toBeNull();
});

it("takes the lower of two, each by itself", () => {
  const own = readLimits("memory=8GB,processes=10") ?? DEFAULT_LIMITS;
  const project = readLimits("memory=1GB,processes=none") ?? DEFAULT_LIMITS;
  expect(limitsText(strictest(own, project))).toBe(
    "memory=1GB,processes=10,disk=10GB,output=256MB,files=65536",
  );
});

it("says how much was allowed, and what allows more", () => {
  expect(excessText({ limit: "memory", most: DEFAULT_LIMITS.memoryBytes })).toBe(
    "it was stopped because it used more than 4 GB of memory; --limits memory=8GB allows more",
  );
});
