import { Worker } from "node:worker_threads";
import type { OfficeText } from "../office-text.ts";

export interface PdfLimits {
  /** What one stream of the file may unpack to. */
  readonly mostBytes: number;
  readonly mostChars: number;
  readonly deadlineMs: number;
}

/** The text of the pages in the order the file draws it. Never rejects, and ends at the deadline whatever the file does. */
export async function pdfText(bytes: Buffer, limits: PdfLimits): Promise<OfficeText> {
  const worker = startThread(bytes, limits);
  try {
    return await readPages(worker, limits);
  } finally {
    await worker.terminate();
  }
}

const MOST_PAGES = 500;

/** In the source and in every build, the thread's file is in the folder above this one's. */
function startThread(bytes: Buffer, { mostBytes }: PdfLimits): Worker {
  return new Worker(new URL("../pdf-thread.js", import.meta.url), {
    workerData: { bytes: new Uint8Array(bytes), mostBytes, mostPages: MOST_PAGES },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    execArgv: [],
    env: {},
    // Taken and dropped: what the library may say is not for the user.
    stdout: true,
    stderr: true,
  });
}

type Message =
  | { readonly kind: "page"; readonly text: string }
  | { readonly kind: "end"; readonly cut: boolean }
  | { readonly kind: "unreadable"; readonly why: keyof typeof REASONS };

const REASONS = {
  damaged: "damaged",
  password: "a PDF that needs a password",
  "too-large": "unpacks to more than is read",
} as const;

function readPages(worker: Worker, { mostChars, deadlineMs }: PdfLimits): Promise<OfficeText> {
  const pages: string[] = [];
  let chars = 0;
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      const late = unreadable(`a PDF that takes longer than ${deadlineMs / 1000} s to read`);
      resolve(chars > 0 ? joined(pages, true) : late);
    }, deadlineMs);
    worker.once("exit", () => clearTimeout(timer));
    worker.once("exit", () => resolve(unreadable(REASONS.damaged)));
    worker.once("error", (error: NodeJS.ErrnoException) => {
      const large = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      resolve(unreadable(large ? REASONS["too-large"] : `a PDF that cannot be read: ${error.message}`));
    });
    worker.on("message", (message: Message) => {
      if (message.kind === "unreadable") return resolve(unreadable(REASONS[message.why]));
      if (message.kind === "end") return resolve(joined(pages, message.cut));
      pages.push(message.text.trimEnd());
      chars += message.text.length;
      if (chars > mostChars) resolve(joined(pages, true));
    });
  });
}

function joined(pages: readonly string[], cut: boolean): OfficeText {
  if (!pages.some((page) => /[\p{L}\p{N}]/u.test(page))) {
    return unreadable("a PDF without text that can be read");
  }
  const text = pages.map((page, index) => `# Page ${index + 1}\n${page}`).join("\n");
  return { status: "text", text, cut };
}

function unreadable(reason: string): OfficeText {
  return { status: "unreadable", reason };
}
