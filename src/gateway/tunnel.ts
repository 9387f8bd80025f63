import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { readHost } from "../domain/network.ts";
import { printable } from "../lib/printable.ts";
import { GATEWAY_SAYS } from "../providers/gateway-words.ts";
import type { OpenTrial, Trials } from "./trials.ts";

/**
 * Answers a CONNECT: a way to a host that the user allows the trial, and to no other. What passes is the client's and the
 * host's own; it is neither read nor metered.
 */
export function tunnel(
  { url = "", headers }: IncomingMessage,
  client: Duplex,
  { head, trials }: { readonly head: Buffer; readonly trials: Trials },
): void {
  client.on("error", () => client.destroy());
  const trial = trials.find(tokenOf(headers["proxy-authorization"]), null);
  if ("refused" in trial) return refuse(client, "407 Proxy Authentication Required", trial.refused);
  const asked = readHost(url);
  if (asked === null)
    return refuse(client, "400 Bad Request", `${printable(url.slice(0, 200))} is not a host and a port`);
  if (!trial.hosts.some((allowed) => allowed === asked)) {
    trial.log.refusedHost(asked);
    return refuse(client, "403 Forbidden", `${asked} is not among the hosts of --allow-host`);
  }
  open(asked, client, { head, trial });
}

function open(to: string, client: Duplex, { head, trial }: { head: Buffer; trial: OpenTrial }): void {
  const colon = to.lastIndexOf(":");
  const host = connect({
    host: to.slice(0, colon).replace(/^\[|\]$/g, ""),
    port: Number(to.slice(colon + 1)),
  });
  const live = {
    stop() {
      host.destroy();
      client.destroy();
    },
  };
  trial.live.add(live);
  const end = () => {
    trial.live.delete(live);
    live.stop();
  };
  let connected = false;
  host.once("connect", () => {
    connected = true;
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    host.write(head);
    client.pipe(host);
    host.pipe(client);
  });
  host.once("error", (error) => {
    if (!connected) refuse(client, "502 Bad Gateway", `${to} cannot be reached: ${error.message}`);
  });
  host.once("close", () => (client.writableEnded ? trial.live.delete(live) : end()));
  client.once("close", end);
}

/** The password, or the name where there is no password: clients take both from the address of a proxy. */
function tokenOf(header: string | undefined): string | null {
  const [, packed = ""] = /^Basic\s+(\S+)$/i.exec(header ?? "") ?? [];
  const [name = "", password = ""] = Buffer.from(packed, "base64").toString("utf8").split(":");
  return [password, name].find((part) => part !== "") ?? null;
}

function refuse(client: Duplex, status: string, message: string): void {
  const body = `${GATEWAY_SAYS}${message}\n`;
  const headers = [
    `HTTP/1.1 ${status}`,
    "content-type: text/plain; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    ...(status.startsWith("407") ? ['proxy-authenticate: Basic realm="assay"'] : []),
    "connection: close",
  ];
  client.end(`${headers.join("\r\n")}\r\n\r\n${body}`, () => client.destroy());
}
