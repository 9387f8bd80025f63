import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { reachUrl, type ReachOptions } from "./reach-url.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Every name leads to the loopback, and one port of it may be asked. */
function onlyPort(port: number, more: ReachOptions = {}): ReachOptions {
  return {
    resolve: async () => ["127.0.0.1"],
    allows: (address, asked) => address === "127.0.0.1" && asked === port,
    ...more,
  };
}

describe("reachUrl", () => {
  it.each([200, 204, 301, 404, 500])("tells the status %d of a HEAD", async (status) => {
    const asked: string[] = [];
    const port = await serve((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.host}`);
      response.writeHead(status).end();
    });
    const reached = await reachUrl(`http://example.test:${port}/a?b=1#c`, onlyPort(port));
    expect(reached).toEqual({ kind: "answered", status });
    expect(asked).toEqual([`HEAD /a?b=1 example.test:${port}`]);
  });

  it.each([405, 501])("asks with GET when HEAD gives %d", async (status) => {
    const asked: string[] = [];
    const port = await serve((request, response) => {
      asked.push(String(request.method));
      response.writeHead(request.method === "HEAD" ? status : 200).end("x".repeat(100_000));
    });
    expect(await reachUrl(`http://a.test:${port}/`, onlyPort(port))).toEqual({
      kind: "answered",
      status: 200,
    });
    expect(asked).toEqual(["HEAD", "GET"]);
  });

  it("follows five redirects, and no sixth", async () => {
    const port = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.writeHead(200).end();
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect(await reachUrl(`http://a.test:${port}/5`, onlyPort(port))).toEqual({
      kind: "answered",
      status: 200,
    });
    expect(await reachUrl(`http://a.test:${port}/6`, onlyPort(port))).toMatchObject({
      kind: "failed",
      reason: "it redirects more than 5 times",
    });
  });

  it.each([
    ["an address that is not public", "http://127.0.0.1:1/"],
    ["the metadata service", "http://169.254.169.254/latest/meta-data/"],
    ["another scheme", "file:///etc/passwd"],
  ])("does not follow a redirect to %s", async (_what, location) => {
    const port = await serve((_request, response) => {
      response.writeHead(302, { location }).end();
    });
    expect(await reachUrl(`http://a.test:${port}/`, onlyPort(port))).toMatchObject({ kind: "refused" });
  });

  it.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://localhost/",
    "http://0.0.0.0/",
    "http://169.254.169.254/",
    "ftp://example.com/",
    "https://",
    "not a url",
  ])("refuses %s without asking", async (url) => {
    expect(await reachUrl(url)).toMatchObject({ kind: "refused" });
  });

  it("refuses a host when any one of its addresses is not public", async () => {
    const resolve = async () => ["93.184.216.34", "10.0.0.1"];
    expect(await reachUrl("http://mixed.test/", { resolve })).toEqual({
      kind: "refused",
      reason: "mixed.test resolves to 10.0.0.1, which is not a public address",
    });
  });

  it("connects to the address that was checked, whatever the name says a moment later", async () => {
    const port = await serve((_request, response) => response.writeHead(200).end());
    let lookups = 0;
    const resolve = async () => (lookups++ === 0 ? ["127.0.0.1"] : ["169.254.169.254"]);
    const reached = await reachUrl(`http://rebind.test:${port}/`, onlyPort(port, { resolve }));
    expect(reached).toEqual({ kind: "answered", status: 200 });
    expect(lookups).toBe(1);
  });

  it("gives up on a server that does not answer", async () => {
    const port = await serve(() => {});
    const reached = await reachUrl(`http://slow.test:${port}/`, onlyPort(port, { timeoutMs: 100 }));
    expect(reached).toEqual({ kind: "failed", reason: "no answer within 0.1 s", local: false });
  });

  it("stops when it is told to", async () => {
    const port = await serve(() => {});
    const controller = new AbortController();
    const reached = reachUrl(`http://slow.test:${port}/`, onlyPort(port, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    expect(await reached).toMatchObject({ kind: "failed", reason: "stopped", local: true });
    expect(await reachUrl("http://x.test:1/", onlyPort(1, { signal: controller.signal }))).toMatchObject({
      reason: "stopped",
    });
  });

  it.each([
    ["ENOTFOUND", false],
    ["EAI_AGAIN", true],
    ["ENETUNREACH", true],
  ])("tells whether %s is trouble at this end: %s", async (code, local) => {
    const resolve = async () => {
      throw Object.assign(new Error("no"), { code });
    };
    expect(await reachUrl("http://a.test/", { resolve })).toEqual({ kind: "failed", reason: code, local });
  });

  it("fails for a closed port and for a host without addresses", async () => {
    const port = await serve(() => {});
    servers.splice(0).forEach((server) => server.close());
    expect(await reachUrl(`http://a.test:${port}/`, onlyPort(port))).toMatchObject({
      kind: "failed",
      reason: "ECONNREFUSED",
      local: false,
    });
    expect(await reachUrl("http://a.test/", { resolve: async () => [] })).toMatchObject({ kind: "failed" });
  });

  it("fails for a redirect to what is no URL, and for an answer that is no HTTP", async () => {
    const port = await serve((_request, response) => response.writeHead(302, { location: "http://" }).end());
    expect(await reachUrl(`http://a.test:${port}/`, onlyPort(port))).toMatchObject({ kind: "failed" });
    const odd = await serve((request) => request.socket.end("garbage\r\n\r\n"));
    expect(await reachUrl(`http://a.test:${odd}/`, onlyPort(odd))).toMatchObject({
      kind: "failed",
      local: false,
    });
  });

  it("greets a TLS server by the name of the host, not by its address", async () => {
    let greeting = Buffer.alloc(0);
    const server = createTcpServer((socket) => {
      socket.once("data", (bytes) => {
        greeting = bytes;
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    expect(await reachUrl(`https://named.test:${port}/`, onlyPort(port))).toMatchObject({ kind: "failed" });
    server.close();
    expect(greeting.includes("named.test")).toBe(true);
  });

  it("sends no credentials of the URL", async () => {
    const seen: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200).end();
    });
    await reachUrl(`http://user:secret@a.test:${port}/`, onlyPort(port));
    expect(seen).toEqual([undefined]);
  });
});
