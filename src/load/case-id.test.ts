import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileNameProblem } from "../lib/file-name.ts";
import { BASIC, load } from "./formats/skillet/fixtures/load.ts";

describe("case ids", () => {
  async function id(path: string, base: string | null): Promise<string> {
    return (await load(BASIC, path, base)).file!.cases[0]!.id;
  }

  it.each([
    ["/e/browser/001.yaml", "/e/browser", "001"],
    ["/e/browser/001.yml", "/e/browser", "001"],
    ["/e/browser/001.YAML", "/e/browser", "001"],
    ["/e/browser/webfetch/001.yaml", "/e/browser", "webfetch--001"],
    ["/e/browser/a/b/c.yaml", "/e/browser", "a--b--c"],
    ["/e/browser/webfetch/001.yaml", null, "001"],
    ["/elsewhere/001.yaml", "/e/browser", "001"],
    ["/e/browser/v1.2-x.yaml", "/e/browser", "v1.2-x"],
    ["/e/b/..x/1.yaml", "/e/b", expect.stringMatching(/^x-1-[0-9a-f]{8}$/)],
    ["/e/b/.yaml", "/e/b", expect.stringMatching(/^eval-[0-9a-f]{8}$/)],
    ["/e/b/what: now?.yaml", "/e/b", expect.stringMatching(/^what-now--[0-9a-f]{8}$/)],
    [`/e/b/${"long".repeat(50)}.yaml`, "/e/b", expect.stringMatching(/^(long){6}-[0-9a-f]{8}$/)],
  ])("%s in %s", async (path, base, expected) => {
    expect(await id(path, base)).toEqual(expected);
  });

  it("is safe as a directory, and of no other place, however long names are", async () => {
    const unit = fc.constantFrom("a", "-", ".", "漢", "\u{1f642}", "é");
    const part = fc
      .string({ unit, minLength: 1, maxLength: 80, size: "max" })
      .filter((name) => !/^\.*$/.test(name));
    const place = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    await fc.assert(
      fc.asyncProperty(place, place, async (one, other) => {
        const [first, second] = [await id(`/e/${one}.yaml`, "/e"), await id(`/e/${other}.yaml`, "/e")];
        expect(fileNameProblem(first)).toBeNull();
        expect(first === second).toBe(one === other);
      }),
    );
  });

  it("tells places apart that would read the same", async () => {
    const paths = ["a/b--c", "a--b/c", "a--b--c", "a/b/c", "a-/b", "a/-b", "a---b"];
    const ids = await Promise.all(paths.map((path) => id(`/e/${path}.yaml`, "/e")));
    expect(new Set(ids).size).toBe(paths.length);
  });
});
