import { escapeRegExp } from "../../lib/escape-reg-exp.ts";
import type { ScanCode } from "./rules.ts";

/** Something that is fetched or decoded first and run a little later, by a file or a variable. */
export interface LaterHit {
  readonly code: ScanCode;
  /** The command that fetches it. */
  readonly found: string;
  readonly offset: number;
  readonly message: string;
}

export function laterHits(text: string): readonly LaterHit[] {
  return SOURCES.flatMap(({ code, pattern, isRun, message }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: found, index, groups }) => {
      const name = groups?.["name"] ?? baseOf(groups?.["url"] ?? "");
      const rest = text.slice(index + found.length, index + found.length + REACH);
      const run = name.length === 0 ? -1 : rest.search(isRun(escapeRegExp(name.replace(/^(?:\.\/)+/, ""))));
      if (run === -1 || VERIFIES.test(rest.slice(0, run))) return [];
      return [{ code, found, offset: index, message }];
    }),
  );
}

/** How far what fetches something and what runs it are apart. */
const REACH = 600;

/** Whoever looks whether it is what it should be does not run it unread. */
const VERIFIES = /\b(?:sha(?:1|256|512)sum|shasum|md5sum|b2sum|gpg\s+--verify|cosign\s+verify|minisign)\b/;

const REMOTE = "a program is downloaded and run unread";
const ENCODED = "text is decoded and then run, so nobody can read what runs";
const FILE = String.raw`["']?(?<name>[\w./~$\{\}-]{1,120})`;

interface Source {
  readonly code: ScanCode;
  readonly pattern: RegExp;
  /** What runs a file or variable of that name. */
  readonly isRun: (name: string) => RegExp;
  readonly message: string;
}

const SOURCES: readonly Source[] = [
  {
    code: "security/remote-command",
    pattern: new RegExp(
      String.raw`\b(?:curl|wget)(?=\s)[^\n|;&]{0,300}?(?:\s-\w{0,6}[oO]\s*|\s--output(?:-document)?[=\s]|\s1?>\s*)(?!-(?:\s|$)|https?:|/dev/)${FILE}[^\n|;&]{0,300}`,
      "g",
    ),
    isRun: runsFile,
    message: REMOTE,
  },
  {
    code: "security/remote-command",
    pattern:
      /\b(?:wget\s(?![^\n|;&]{0,200}\s-\w{0,4}O)|curl\s[^\n|;&]{0,100}?(?:-\w{0,6}O|--remote-name)\s)[^\n|;&]{0,200}?(?<url>https?:\/\/[^\s"'`|;&)]{4,200})/g,
    isRun: runsFile,
    message: REMOTE,
  },
  {
    code: "security/remote-command",
    pattern: /\burlretrieve\s*\([^\n,]{1,200},\s*["'](?<name>[^"'\n]{1,120})["']/g,
    isRun: (name) =>
      new RegExp(String.raw`\b(?:subprocess\.\w+|os\.(?:system|popen|exec\w*))\s*\([^\n]{0,60}${name}`),
    message: REMOTE,
  },
  {
    code: "security/remote-command",
    pattern:
      /(?<![\w.])(?<name>\w{1,40})\s*=\s*(?:await\b[\s(]{0,4}){0,2}[^\n=]{0,60}?(?:\burlopen|\b(?:requests|httpx)\.get|\bfetch)\s*\([^\n]{0,200}/g,
    isRun: (name) => new RegExp(String.raw`(?<![.\w])(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?${name}\b`),
    message: REMOTE,
  },
  {
    code: "security/encoded-command",
    pattern: new RegExp(
      String.raw`\b(?:base64\s+(?:-\w*[dD]\w*|--decode)|base32\s+(?:-d|--decode)|xxd\s+-r)[^\n|;&>]{0,200}>\s*(?!/dev/)${FILE}`,
      "g",
    ),
    isRun: runsFile,
    message: ENCODED,
  },
  {
    code: "security/encoded-command",
    pattern:
      /(?<![\w.$])(?<name>\w{1,40})=["']?(?:\$\(|`)[^\n]{0,300}?(?:base64\s+(?:-\w*[dD]\w*|--decode)|xxd\s+-r)/g,
    isRun: (name) => new RegExp(String.raw`\b(?:eval|(?:ba|z|da)?sh\s+-c)\s+["']?\$\{?${name}\b`),
    message: ENCODED,
  },
];

/** Where a command may begin: at a line, behind another. */
const BEGINS = String.raw`(?:^|[;&|(\n\x60]|\b(?:then|do|sudo|exec|nohup|env))[ \t]*`;

/** As the program of a shell or interpreter, or by itself with a path. */
function runsFile(name: string): RegExp {
  const path = String.raw`["']?(?:\./)?${name}(?![\w./-])`;
  const byOther = String.raw`(?:(?:/\S{0,40}/)?(?:ba|z|k|da)?sh|source|\.|python[\d.]*|perl|ruby|node|php)\s+(?:-[a-z]+\s+)*${path}`;
  const bySelf = String.raw`(?=["']?[./~$])${path}`;
  return new RegExp(`${BEGINS}(?:${byOther}|${bySelf})`, "m");
}

/** The name that a download without one gets. */
function baseOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/, "").replace(/[?#].*$/, "");
  return path.slice(path.lastIndexOf("/") + 1);
}
