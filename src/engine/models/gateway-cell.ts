import { createServer, type Server } from "node:net";
import { join } from "node:path";
import type { Gateway } from "../../gateway/gateway.ts";
import type { NetworkCell } from "../../run/network/cell.ts";
import { openRunFolder } from "../run-folder.ts";

/** A network whose only way out is the gateway; made when it is first asked for, and gone with its scope. */
export interface GatewayCell extends AsyncDisposable {
  /** Rejects, in words, where it cannot be had. */
  readonly open: () => Promise<NetworkCell>;
}

export function gatewayCell(gateway: Gateway): GatewayCell {
  const undo: (() => Promise<unknown>)[] = [];
  const make = async (): Promise<NetworkCell> => {
    const folder = await openRunFolder();
    undo.push(async () => folder[Symbol.asyncDispose]());
    const socketPath = join(folder.path, "gateway");
    const server = createServer((socket) => gateway.accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socketPath, resolve);
    });
    server.unref();
    undo.push(() => closed(server));
    const { openCell } = await import("../../run/network/cell.ts");
    const cell = await openCell({ port: gateway.port, socketPath });
    undo.push(async () => cell[Symbol.asyncDispose]());
    return cell;
  };
  let cell: Promise<NetworkCell> | null = null;
  return {
    open: () => (cell ??= make()),
    async [Symbol.asyncDispose]() {
      await cell?.catch(() => null);
      for (const step of undo.splice(0).toReversed()) await step();
    },
  };
}

function closed(server: Server): Promise<void> {
  server.ref();
  return new Promise((resolve) => void server.close(() => resolve()));
}
