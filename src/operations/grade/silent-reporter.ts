import type { Reporter } from "../../report/reporter.ts";

/** For commands that run trials on the way to something else and say by themselves what came of it. */
export const silentReporter: Required<Reporter> = { name: "silent", event: () => {}, finish: () => {} };
