import type { RunStatus } from "../../domain/control.ts";
import { thrownWords } from "../../lib/thrown-words.ts";
import type { ControlMessage, ControlReply } from "./message.ts";
import { findRecords, removeRecord } from "./records.ts";
import { askAt } from "./socket.ts";

/** A call that is at work and answers. */
export interface Reachable {
  readonly status: RunStatus;
  /** Rejects where it is gone by now. */
  readonly tell: (message: ControlMessage) => Promise<ControlReply>;
}

/** Those that answer, the longest at work first; records of calls that are gone are removed. */
export async function findRunning(
  results: string,
  note: (note: string) => void,
): Promise<readonly Reachable[]> {
  const found = await Promise.all(
    (await findRecords(results)).map(async ({ path, record }): Promise<readonly Reachable[]> => {
      if (record === null) {
        note(
          `${path} was written by another version of Assay or another program; remove it if nothing is running`,
        );
        return [];
      }
      try {
        const reply = await askAt(record.socket, { do: "status" });
        if (reply === null) await removeRecord(path, results);
        if (reply?.ok !== true) return [];
        return [{ status: reply.status, tell: (message) => told(record.socket, message) }];
      } catch (error) {
        note(`process ${record.pid} does not answer: ${thrownWords(error)}`);
        return [];
      }
    }),
  );
  return found.flat().toSorted((a, b) => a.status.startedAt.localeCompare(b.status.startedAt));
}

async function told(socket: string, message: ControlMessage): Promise<ControlReply> {
  return (await askAt(socket, message)) ?? { ok: false, problem: "it has ended" };
}
