// Reads one PDF and posts its text page by page. Plain JavaScript, because a thread runs it as it is, from source and from
// a build; it stays out of the main thread, where nothing could stop a file made to take forever.
import { parentPort, workerData } from "node:worker_threads";
import { getDocument, VerbosityLevel } from "unpdf/pdfjs";

const { bytes, mostBytes, mostPages } = workerData;
const unpacking = boundUnpacking(mostBytes);

// Of a part nobody waits for any more; what matters is caught.
process.on("unhandledRejection", () => {});

try {
  await postPages();
} catch (error) {
  const locked = error?.name === "PasswordException";
  post({ kind: "unreadable", why: unpacking.refused ? "too-large" : locked ? "password" : "damaged" });
}

async function postPages() {
  const { promise } = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
  });
  const pdf = await promise;
  for (let number = 1; number <= Math.min(pdf.numPages, mostPages); number++) {
    const text = await pageText(pdf, number);
    if (unpacking.refused) return post({ kind: "unreadable", why: "too-large" });
    post({ kind: "page", text });
  }
  post({ kind: "end", cut: pdf.numPages > mostPages });
}

/** Empty for a page that is damaged: the others may still be whole. */
async function pageText(pdf, number) {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    return joined(items);
  } catch {
    return "";
  }
}

/** The library marks the ends of lines within one drawing; another height begins a line between drawings, too. */
function joined(items) {
  let text = "";
  let last = null;
  for (const item of items) {
    const step = last === null ? 0 : Math.abs(item.transform[5] - last.transform[5]);
    if (step > Math.max(item.height, 1) && text !== "" && !text.endsWith("\n")) text += "\n";
    text += item.hasEOL ? `${item.str}\n` : item.str;
    if (item.str.trim() !== "") last = item;
  }
  return text;
}

/**
 * A few kilobytes may unpack to gigabytes. The library unpacks into byte arrays that it doubles as they fill, so refusing the
 * large ones stops it, whatever the filter; streams of the platform would collect everything first.
 */
function boundUnpacking(mostBytes) {
  const state = { refused: false };
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, args, newTarget) {
      if (typeof args[0] === "number" && args[0] > mostBytes) {
        state.refused = true;
        throw new RangeError("unpacks to more than is read");
      }
      return Reflect.construct(target, args, newTarget);
    },
  });
  delete globalThis.DecompressionStream;
  return state;
}

function post(message) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort.postMessage(message);
}
