import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildApp } from "./support/build-app.ts";

describe("the viewer's app", () => {
  it("takes at most 120 KB on the wire, and asks nobody else for anything", async () => {
    const { script, style } = await buildApp();
    expect(gzipSync(script).length + gzipSync(style).length).toBeLessThan(120_000);
    // Preact names the namespaces of XML; they are never asked for.
    const addresses = [...`${script}${style}`.matchAll(/https?:\/\/[\w.-]+/g)].map(([address]) => address);
    expect(addresses.filter((address) => address !== "http://www.w3.org")).toEqual([]);
    expect(style).not.toMatch(/@import|url\(/);
  });

  it("never makes elements of text: what agents write stays text", async () => {
    const { script } = await buildApp();
    // Preact has a door for it, which no part of the app opens.
    expect(script.match(/dangerouslySetInnerHTML/g)?.length ?? 0).toBeLessThanOrEqual(2);
    expect(script).not.toMatch(/insertAdjacentHTML|document\.write|\beval\(|new Function/);
  });
});
