import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sim } from "../../src/operations/sim.ts";
import { machineIn } from "../support/machine.ts";
import { tempTree } from "../support/temp-tree.ts";

const SCRIPT = { "replies.yaml": "replies:\n  - text: Hello there\n" };

const ask = (url: string) =>
  fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "any", "content-type": "application/json" },
    body: JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] }),
  });

it("sim answers as its script says until its scope ends", async () => {
  await using tree = await tempTree(SCRIPT);
  const urls: string[] = [];
  {
    await using server = await sim(
      { script: "replies.yaml", log: "requests.jsonl" },
      { machine: machineIn(tree.root) },
    );
    urls.push(server.url);
    expect(await (await ask(server.url)).text()).toContain("Hello there");
  }
  await expect(ask(urls[0] ?? "")).rejects.toThrow("fetch failed");
  expect(readFileSync(tree.path("requests.jsonl"), "utf8").trim().split("\n")).toHaveLength(1);
});

it("sim ends with the door's signal", async () => {
  await using tree = await tempTree(SCRIPT);
  const stop = new AbortController();
  await using server = await sim(
    { script: "replies.yaml" },
    { machine: machineIn(tree.root), signal: stop.signal },
  );
  expect((await ask(server.url)).status).toBe(200);
  stop.abort();
  await server.close();
  await expect(ask(server.url)).rejects.toThrow("fetch failed");
});

it("sim says what is wrong with a script", async () => {
  await using tree = await tempTree({ "replies.yaml": "replys: []\n" });
  await expect(sim({ script: "replies.yaml" }, { machine: machineIn(tree.root) })).rejects.toMatchObject({
    name: "UserError",
    code: "sim/bad-script",
  });
});
