import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { expect, it } from "vitest";
import { type Gateway, startGateway } from "./gateway.ts";

/** Says everything back, and knows who is connected. */
async function echo(): Promise<Server & AsyncDisposable & { readonly place: string; open: Set<Socket> }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => {});
    socket.pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(server, { place: `127.0.0.1:${(server.address() as AddressInfo).port}`, open });
}

async function connectTo(gateway: Gateway, to: string, headers: Readonly<Record<string, string>> = {}) {
  const asked = request({ port: gateway.port, host: "127.0.0.1", method: "CONNECT", path: to, headers });
  asked.end();
  const [reply, socket] = (await once(asked, "connect")) as [
    { statusCode: number; headers: Record<string, string> },
    Socket,
  ];
  return { status: reply.statusCode, headers: reply.headers, socket };
}

function authorized(proxy: string | null): Record<string, string> {
  const { username, password } = new URL(proxy ?? "");
  return {
    "proxy-authorization": `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
  };
}

it("leads to a host that is allowed, until the trial is closed", async () => {
  await using host = await echo();
  await using gateway = await startGateway({ upstreams: [] });
  const trial = gateway.open({ trial: "t", hosts: [host.place] });
  const { status, socket } = await connectTo(gateway, host.place, authorized(trial.proxy));
  expect(status).toBe(200);
  const words = "x".repeat(300_000);
  let heard = "";
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  socket.write(words);
  while (heard.length < words.length) await once(socket, "data");
  expect(heard).toBe(words);
  const ended = once(socket, "close");
  expect(trial.close().refusedHosts).toEqual([]);
  await ended;
  while (host.open.size > 0) await Promise.all([...host.open].map((one) => once(one, "close")));
});

it("leads nowhere else, and says where it was to lead", async () => {
  await using host = await echo();
  await using other = await echo();
  await using gateway = await startGateway({ upstreams: [] });
  const trial = gateway.open({ trial: "t", hosts: [host.place] });
  const { status, socket } = await connectTo(gateway, other.place, authorized(trial.proxy));
  socket.resume();
  expect(status).toBe(403);
  expect(other.open.size).toBe(0);
  expect(trial.close().refusedHosts).toEqual([other.place]);
});

it("asks for the token of an open trial", async () => {
  await using host = await echo();
  await using gateway = await startGateway({ upstreams: [] });
  const trial = gateway.open({ trial: "t", hosts: [host.place] });
  const others = gateway.open({ trial: "u" });
  expect(others.proxy).toBeNull();
  const stranger = { "proxy-authorization": `Basic ${Buffer.from("assay:guessed").toString("base64")}` };
  const neighbor = authorized(`http://assay:${others.endpoint.token}@127.0.0.1`);
  for (const [headers, expected] of [
    [{}, 407],
    [stranger, 407],
    [neighbor, 403],
  ] as const) {
    const { status, socket, headers: told } = await connectTo(gateway, host.place, headers);
    socket.resume();
    expect(status).toBe(expected);
    expect(told["proxy-authenticate"]).toBe(expected === 407 ? 'Basic realm="assay"' : undefined);
  }
  trial.close();
  const late = await connectTo(gateway, host.place, authorized(trial.proxy));
  late.socket.resume();
  expect(late.status).toBe(407);
  expect(host.open.size).toBe(0);
});

it("says when a host is not there", async () => {
  const gone = await echo();
  await gone[Symbol.asyncDispose]();
  await using gateway = await startGateway({ upstreams: [] });
  const trial = gateway.open({ trial: "t", hosts: [gone.place] });
  const { status, socket } = await connectTo(gateway, gone.place, authorized(trial.proxy));
  socket.resume();
  expect(status).toBe(502);
});
