import { expect, it } from "vitest";
import { chooseReach, type ReachAsk } from "./reach.ts";

const cell = async () => ({ pid: 7, [Symbol.asyncDispose]: async () => {} });
const noCell = () => Promise.reject(new Error("user namespaces are off"));
const CLIENT: ReachAsk = {
  wanted: "auto",
  allowsHosts: false,
  sandbox: { closesNetwork: true },
  needsOnlyModel: true,
  mcpServers: null,
  ownServers: null,
  cell,
};

it.each<[string, Partial<ReachAsk>, string]>([
  ["a client that needs only its model", {}, "gateway"],
  ["an agent that may need more", { needsOnlyModel: false }, "host"],
  ["a client with MCP servers", { mcpServers: { web: {} } }, "host"],
  ["a client that finds its own way to the service", { cell: null }, "host"],
  ["a sandbox that cannot close it", { sandbox: {} }, "host"],
  ["a sandbox that closes all of it or nothing", { sandbox: { closesNetwork: "wholly" } }, "host"],
  ["nobody in such a sandbox", { sandbox: { closesNetwork: "wholly" }, wanted: "none" }, "none"],
  ["any agent, when asked to", { wanted: "gateway", needsOnlyModel: false, mcpServers: {} }, "gateway"],
  ["an agent without a gateway, when asked to", { wanted: "gateway", cell: null }, "none"],
  ["an agent with hosts of its own", { allowsHosts: true, needsOnlyModel: false, mcpServers: {} }, "hosts"],
  ["nobody", { wanted: "none" }, "none"],
  ["everybody", { wanted: "host" }, "host"],
])("%s: %o reaches %s", async (_, ask, network) => {
  expect(await chooseReach({ ...CLIENT, ...ask })).toMatchObject({ network, note: null });
});

it("leaves the network open, and says so, where it cannot be closed and nobody insists", async () => {
  expect(await chooseReach({ ...CLIENT, cell: noCell })).toMatchObject({
    network: "host",
    note: "the network was open, because it cannot be closed here: user namespaces are off",
  });
});

it("opens nothing for servers that an eval file brings, and says so", async () => {
  expect(await chooseReach({ ...CLIENT, ownServers: { web: {} } })).toMatchObject({
    network: "gateway",
    note: expect.stringContaining("the MCP servers of the eval file reach nothing but the model"),
  });
});

it("refuses where it cannot be closed and somebody insists", async () => {
  for (const insisting of [{ wanted: "gateway" }, { allowsHosts: true }] as const)
    await expect(chooseReach({ ...CLIENT, ...insisting, cell: noCell })).rejects.toThrow(
      "the network cannot be closed here: user namespaces are off",
    );
});
