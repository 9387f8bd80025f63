import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { sameQuestion } from "./same-question.ts";

/** Stands before a model service and lets only through what was asked there before; something new is told and not answered. */
export interface StrictDoor extends AsyncDisposable {
  readonly url: string;
  /** What was asked so far, each once. */
  readonly seen: ReadonlySet<string>;
}

/** What `onNew` answers is done when everything that was let through is answered, and there was time to remember it. */
export async function strictDoor(service: string, onNew: () => () => void): Promise<StrictDoor> {
  const seen = new Set<string>();
  const underWay = new Set<Promise<unknown>>();
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => void chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      const key = `${incoming.url} ${sameQuestion(body.toString("utf8")).replaceAll(CALL_ID, "")}`;
      if (incoming.method === "POST" && !seen.has(key)) {
        seen.add(key);
        const then = onNew();
        void Promise.all(underWay)
          .then(() => wait(TO_REMEMBER_MS))
          .then(then);
        return;
      }
      const answered = new Promise((resolve) => outgoing.once("close", resolve));
      underWay.add(answered);
      void answered.then(() => underWay.delete(answered));
      const { host: _, ...headers } = incoming.headers;
      const passed = ask(`${service}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on("error", () => outgoing.destroy());
      passed.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const TO_REMEMBER_MS = 400;

/** The scripted model counts them, so they differ when a conversation is held again. */
const CALL_ID = /toolu_sim\w+/g;
