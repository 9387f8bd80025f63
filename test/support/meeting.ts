import { createServer, type AddressInfo, type Socket } from "node:net";

/** A place where processes wait until so many of them are there at once. */
export interface Meeting extends AsyncDisposable {
  /** A shell command that waits there. */
  readonly command: string;
  /** Everybody who comes from now on waits anew. */
  readonly again: () => void;
}

/** Once it has taken place, nobody waits any more. */
export async function meetingOf(count: number): Promise<Meeting> {
  let waiting: Socket[] = [];
  let isOver = false;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("close", () => (waiting = waiting.filter((one) => one !== socket)));
    waiting.push(socket);
    isOver ||= waiting.length >= count;
    if (isOver) for (const one of waiting.splice(0)) one.end("go\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    command: `bash -c 'read -r line < /dev/tcp/127.0.0.1/${port}'`,
    again: () => (isOver = false),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const one of waiting) one.destroy();
        server.close(() => resolve());
      }),
  };
}
