import { describe, expect, it } from "vitest";
import type { Reached } from "../../lib/net/reach-url.ts";
import { verdictsOn } from "../fixtures/decide.ts";

const claim = (count: number) => ({ kind: "urls_reachable", count }) as const;
const answers: Readonly<Record<string, Reached>> = {
  "https://good.test/": { kind: "answered", status: 200 },
  "https://made.test/": { kind: "answered", status: 201 },
  "https://gone.test/": { kind: "answered", status: 404 },
  "https://inside.test/": { kind: "refused", reason: "leads to 10.0.0.1" },
  "https://nowhere.test/": { kind: "failed", reason: "ENOTFOUND", local: false },
  "https://offline.test/": { kind: "failed", reason: "EAI_AGAIN", local: true },
};

async function verdictFor(output: string | null, count: number, network: "allowed" | "off" = "allowed") {
  const asked: string[] = [];
  const reach = async (url: string) => {
    asked.push(url);
    return answers[url] ?? { kind: "answered" as const, status: 200 };
  };
  const [verdict] = await verdictsOn({ output, claims: [claim(count)] }, { network, reach });
  return { verdict, asked };
}

describe("urls_reachable", () => {
  it.each<[string, number, string]>([
    ["https://good.test/ https://made.test/", 2, "passed"],
    ["https://good.test/ https://gone.test/", 1, "passed"],
    ["https://good.test/ https://gone.test/", 2, "failed"],
    ["https://good.test/ https://good.test/", 2, "failed"],
    ["https://inside.test/", 1, "failed"],
    ["https://nowhere.test/", 1, "failed"],
    ["https://offline.test/", 1, "unscored"],
    ["https://offline.test/ https://gone.test/", 2, "failed"],
    ["no links", 1, "failed"],
    ["no links", 0, "passed"],
  ])("on %j with %d wanted is %s", async (output, count, status) => {
    const { verdict } = await verdictFor(output, count);
    expect(verdict?.status).toBe(status);
    expect(verdict?.evidence.length === 0).toBe(status === "unscored");
  });

  it("names what each URL answered", async () => {
    const { verdict } = await verdictFor("https://good.test/ and https://gone.test/", 2);
    expect(verdict?.evidence).toEqual([
      { kind: "measure", text: "1 of 2 URLs answer with 2xx, at least 2 wanted" },
      { kind: "measure", text: "https://good.test/: 200" },
      { kind: "measure", text: "https://gone.test/: 404" },
    ]);
  });

  it("takes a URL out of its sentence", async () => {
    const { asked } = await verdictFor(
      "See https://a.test/x. [y](https://b.test/y), **https://c.test/z**",
      3,
    );
    expect(asked).toEqual(["https://a.test/x", "https://b.test/y", "https://c.test/z"]);
  });

  it("tries twenty different URLs and says how many it left", async () => {
    const output = Array.from({ length: 25 }, (_, index) => `https://u${index}.test/`).join("\n");
    const { verdict, asked } = await verdictFor(output, 3);
    expect(asked).toHaveLength(20);
    expect(verdict?.reason).toBe("20 of 20 URLs answer with 2xx, at least 3 wanted; 5 more were not tried");
    expect((await verdictFor(output, 22)).verdict).toMatchObject({
      status: "unscored",
      reason: expect.stringContaining("at most 20 are tried") as string,
    });
  });

  it("asks nobody when the network is off, and still decides what needs no network", async () => {
    const off = await verdictFor("https://good.test/", 1, "off");
    expect(off.verdict).toMatchObject({
      status: "unscored",
      reason: "the network is off, so no URL was tried",
    });
    expect(off.asked).toEqual([]);
    expect((await verdictFor("https://good.test/", 2, "off")).verdict?.status).toBe("failed");
    expect((await verdictFor(null, 0, "off")).verdict?.status).toBe("failed");
  });
});
