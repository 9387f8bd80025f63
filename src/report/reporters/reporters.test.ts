import type { Reporter } from "../reporter.ts";
import { reporterContract } from "../reporter.contract.ts";
import { jsonReporter } from "./json.ts";
import { junitReporter } from "./junit.ts";
import { terminalReporter } from "./terminal.ts";

reporterContract("json", {
  make: () => recorded(jsonReporter),
  flaw(written) {
    try {
      const { iterations } = JSON.parse(written) as { iterations?: unknown };
      return Array.isArray(iterations) ? null : "there is no list of iterations";
    } catch (error) {
      return String(error);
    }
  },
});

reporterContract("junit", { make: () => recorded(junitReporter), flaw: xmlFlaw });

reporterContract("terminal", {
  make: () =>
    recorded((write) => terminalReporter({ progress: write, write, show: (path) => path, mostFailures: 25 })),
});

function recorded(create: (write: (text: string) => void) => Reporter) {
  let all = "";
  const reporter = create((text) => void (all += text));
  return { reporter, written: () => all };
}

/** Whether tags are balanced, attributes quoted and all else escaped: as much of XML as the reporter writes. */
function xmlFlaw(text: string): string | null {
  const open: string[] = [];
  const rest = text
    .replace(/^<\?xml[^?]*\?>\n/, "")
    .replaceAll(TAG, (_, end: string, name: string, empty: string) => {
      if (end === "" && empty === "") open.push(name);
      if (end === "/" && open.pop() !== name) open.push(`unbalanced ${name}`);
      return "";
    });
  const stray = /[<>"']|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.exec(rest)?.[0] ?? open[0];
  return stray === undefined ? null : `there is a stray ${stray}`;
}

const TAG = /<(\/?)([a-z]+)(?: [a-z]+="(?:[^<>"&]|&(?:amp|lt|gt|quot|apos|#\d+);)*")*(\/?)>/g;
