import { fileURLToPath } from "node:url";
import { wrongUse } from "../runners/user-words.ts";

/** The file that called the function, absolute. */
export function callerFile(called: (...args: never[]) => unknown): string {
  const earlier = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  const holder: { stack?: unknown } = {};
  try {
    Error.prepareStackTrace = (_, sites) => sites;
    Error.captureStackTrace(holder, called);
    const [site] = holder.stack as readonly NodeJS.CallSite[];
    const name = site?.getFileName() ?? null;
    if (name === null)
      throw wrongUse("testing/no-file", "skillTest must be called in a file", "put the test into one");
    return name.startsWith("file:") ? fileURLToPath(name) : name;
  } finally {
    if (earlier === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
    else Object.defineProperty(Error, "prepareStackTrace", earlier);
  }
}
