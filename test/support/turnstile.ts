import { createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** Where agents wait until the test lets them through, one by one. */
export interface Turnstile extends AsyncDisposable {
  /** A program for `--harness command` that waits there, then answers. */
  readonly agent: (answer: string) => string;
  /** How many have come so far. */
  readonly came: () => number;
  /** Resolves when so many have come in all. */
  readonly arrivals: (count: number) => Promise<void>;
  /** Lets so many of those who wait through; without a number, everybody from now on. */
  readonly release: (count?: number) => void;
}

export async function turnstile(): Promise<Turnstile> {
  const waiting: Socket[] = [];
  let came = 0;
  let isOpen = false;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    came++;
    if (isOpen) socket.end("go\n");
    else waiting.push(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    agent: (answer) => `#!/bin/bash\nread -r line < /dev/tcp/127.0.0.1/${port}\necho '${answer}'\n`,
    came: () => came,
    arrivals: (count) => until(() => came >= count),
    release(count) {
      isOpen ||= count === undefined;
      for (const socket of waiting.splice(0, count ?? waiting.length)) socket.end("go\n");
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of waiting) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Looks again and again; the bound is only there for what never comes. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 2400; looks++) {
    if (await holds()) return;
    await wait(25);
  }
  throw new Error("it did not come true within a minute");
}
