import { Worker } from "node:worker_threads";
import { PythonRegex } from "../python-regex/regex.ts";
import { isLinear } from "./linear.ts";
import { type FoundMatches, searchTexts } from "./search.ts";
import { searchPython } from "./search-python.ts";

/** Searches with expressions that somebody else wrote, none of which may take longer than its deadline. */
export interface SafeRegex extends AsyncDisposable {
  /** Never rejects. Searches are made one after the other; a deadline begins when its own search does. */
  search(regex: RegExp | PythonRegex, texts: readonly string[], options?: SearchOptions): Promise<Searched>;
}

interface SearchOptions {
  readonly deadlineMs?: number;
  /** How many matches are given back; all are counted. */
  readonly most?: number;
  /** The caller vouches that the expression takes linear time: no thread is needed. */
  readonly linear?: boolean;
}

type Searched =
  | ({ readonly status: "searched" } & FoundMatches)
  | { readonly status: "stopped"; readonly reason: string };

export const DEADLINE_MS = 2000;
const MOST_MATCHES = 5;

/** One worker thread, started when first needed and replaced when it had to be ended; it keeps no process alive. */
export function safeRegex(): SafeRegex {
  let thread: Thread | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function searchInThread(ask: Ask, deadlineMs: number): Promise<Searched> {
    thread ??= await startThread();
    const answer = await askThread(thread, ask, deadlineMs);
    if (answer.status === "searched") return answer;
    const ended = thread;
    thread = null;
    await ended.worker.terminate();
    return answer;
  }

  return {
    search(regex, texts, { deadlineMs = DEADLINE_MS, most = MOST_MATCHES, linear = false } = {}) {
      const searched = last.then(async (): Promise<Searched> => {
        try {
          if (regex instanceof PythonRegex) return await searchPython(regex, texts, { most, deadlineMs });
          if (linear || isLinear(regex)) return { status: "searched", ...searchTexts(regex, texts, most) };
          return await searchInThread({ regex, texts, most }, Math.max(1, deadlineMs));
        } catch (error) {
          return { status: "stopped", reason: String(error) };
        }
      });
      last = searched;
      return searched;
    },
    async [Symbol.asyncDispose]() {
      await last;
      await thread?.worker.terminate();
      thread = null;
    },
  };
}

interface Ask {
  readonly regex: RegExp;
  readonly texts: readonly string[];
  readonly most: number;
}

interface Thread {
  readonly worker: Worker;
  /** What it was last sent, so that one text under many expressions is sent once. */
  held: readonly string[] | null;
  /** Takes the answer to what was last asked. */
  answer: (searched: Searched) => void;
}

/** Plain script text: it runs the same from source and from a bundle. */
const SCRIPT = `
const { parentPort } = require("node:worker_threads");
const search = ${searchTexts.toString()};
let held = [];
parentPort.on("message", ({ regex, texts, most }) => {
  if (texts !== null) held = texts;
  try {
    parentPort.postMessage({ status: "searched", ...search(regex, held, most) });
  } catch (error) {
    parentPort.postMessage({ status: "stopped", reason: "the pattern could not be tried: " + error });
  }
});
`;

async function startThread(): Promise<Thread> {
  const worker = new Worker(SCRIPT, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const thread: Thread = { worker, held: null, answer: () => {} };
  const stopped = (reason: string) =>
    thread.answer({ status: "stopped", reason: `the pattern could not be tried: ${reason}` });
  worker.on("message", (searched: Searched) => thread.answer(searched));
  worker.on("error", (error) => stopped(String(error)));
  worker.on("exit", () => stopped("its thread ended"));
  await new Promise<void>((resolve) => {
    worker.once("online", resolve);
    worker.once("exit", () => resolve());
  });
  worker.unref();
  return thread;
}

function askThread(thread: Thread, { regex, texts, most }: Ask, deadlineMs: number): Promise<Searched> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      const reason = `the pattern took longer than ${Math.round(deadlineMs) / 1000} s and was stopped`;
      thread.answer({ status: "stopped", reason });
    }, deadlineMs);
    thread.answer = (searched) => {
      clearTimeout(timer);
      thread.answer = () => {};
      resolve(searched);
    };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.worker.postMessage({ regex, texts: thread.held === texts ? null : texts, most });
    thread.held = texts;
  });
}
