import type { Reporter } from "../reporter.ts";
import { reporterContract } from "../reporter.contract.ts";
import { codequalityReporter } from "./codequality.ts";
import { githubReporter } from "./github.ts";
import { jsonReporter } from "./json.ts";
import { jsonlReporter } from "./jsonl.ts";
import { junitReporter } from "./junit.ts";
import { markdownReporter } from "./markdown.ts";
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

reporterContract("jsonl", {
  make: () => recorded(jsonlReporter),
  flaw(written) {
    const lines = written.trimEnd().split("\n");
    try {
      const kinds = lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
      const last = JSON.parse(lines.at(-1) ?? "") as { kind: string; events: number };
      if (last.kind !== "receipt" || kinds.filter((kind) => kind === "receipt").length !== 1)
        return "no receipt";
      return last.events === lines.length - 1 ? null : "the receipt counts other events";
    } catch (error) {
      return String(error);
    }
  },
});

reporterContract("markdown", { make: () => recorded(markdownReporter) });

reporterContract("github", {
  givesCommands: true,
  make: () => recorded((write) => githubReporter({ write, show: (path) => path })),
  flaw(written) {
    const stray = written
      .split("\n")
      .find((line) => line !== "" && !/^::(?:error|warning) [^:]*::/.test(line));
    return stray === undefined ? null : `there is a stray line ${stray}`;
  },
});

reporterContract("codequality", {
  make: () => recorded((write) => codequalityReporter({ write, show: (path) => path })),
  flaw(written) {
    try {
      const entries = JSON.parse(written) as { fingerprint?: unknown; location?: { path?: unknown } }[];
      const odd = entries.find(
        ({ fingerprint, location }) => typeof fingerprint !== "string" || typeof location?.path !== "string",
      );
      return odd === undefined ? null : `GitLab cannot place ${JSON.stringify(odd)}`;
    } catch (error) {
      return String(error);
    }
  },
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
