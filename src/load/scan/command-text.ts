import type { FileRole, ScanHit } from "./hit.ts";
import { laterHits } from "./run-later.ts";
import type { ScanCode } from "./rules.ts";

/** Commands that people should know of before an agent runs them, wherever they are written. */
export function commandHits(text: string, role: FileRole): ScanHit[] {
  if (!SUSPECT.test(text)) return [];
  const atOnce = PATTERNS.flatMap(({ code, patterns, message }) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ code, found, offset: index, message })),
    ),
  );
  const hits = [...atOnce, ...laterHits(text)].map(({ code, found, offset, message }) => ({
    code: code === "security/remote-command" && isWellKnown(found) ? ("security/installer" as const) : code,
    offset,
    message,
  }));
  return role === "script" ? [...hits, ...networkHits(text)] : hits;
}

/** A word of one of the patterns; most texts hold none. */
const SUSPECT =
  /base(?:64|32)|xxd|openssl|uudecode|b64decode|fromhex|unhexlify|marshal|decompress|codecs|atob|decode_?(?:base)?64|gunzip|unxz|z(?:std)?cat|\btr\s|telnet|fsockopen|\bsocket\s*\(|\bspawn|pip3?\s|npx\s|uvx\s|Buffer\.from|Base64String|-enc|printf|curl|wget|iwr|irm|Invoke-|\bnc\b|ncat|socat|\/dev\/(?:tcp|udp)|mkfifo|authorized_keys|crontab|\.git\/hooks|rc\b|profile|LaunchAgents|systemd|requests|urllib|http|fetch|axios|socket|environ|printenv|\benv\b|\bsettings/i;

interface CommandPattern {
  readonly code: ScanCode;
  readonly patterns: readonly RegExp[];
  readonly message: string;
}

/** The end of a command that reads its program from standard input, not one that is given a program. */
const READS_PROGRAM = String.raw`(?:sudo\s+(?:-\w+\s+)*|env\s+(?:-\w+\s+|\w+=\S*\s+)*)?(?:/\S{0,40}/)?(?:(?:ba|z|k|da)?sh(?=\s*(?:-[a-bd-z]+\s*)*(?:$|[;&|<>)"'\x60]|-s\b|-(?:\s|$)))|xargs\s[^\n|]{0,40}\b(?:ba|z|da)?sh\s+-c\b|(?:python[\d.]*|perl|ruby|node)(?=\s*(?:-\s*)?(?:$|[;&|<>)"'\x60])))`;
const DECODES = String.raw`(?:base64\s+(?:-\w*[dD]\w*|--decode)|base32\s+(?:-d|--decode)|xxd\s+-r|openssl\s+(?:enc|base64)\s[^\n|]{0,80}-d\b|uudecode|gunzip|(?:xz|bz|z|zstd)cat|unxz|bunzip2|\btr\s+\S{0,12}[aA]-[zZ]\S{0,12}\s+\S{0,6}[nN]-[zZ]|printf\s+["'](?:\\x[0-9a-fA-F]{2}|\\[0-7]{3}){4,})`;
const DOWNLOADS = String.raw`\b(?:curl|wget)\s`;
const piped = (from: string) =>
  new RegExp(String.raw`${from}[^\n|]{0,300}(?:\|(?!\|)[^\n|]{0,100}){0,2}\|\s*${READS_PROGRAM}`, "gm");
const substituted = (from: string) =>
  new RegExp(
    String.raw`(?:\b(?:eval|source|exec|(?:ba|z|da)?sh(?:\s+-c)?|python[\d.]*\s+-c)|(?<=^|\s)\.)\s+(?:<<<\s*)?(?:<\(|["']?\$\(|["']?\x60)[^\n]{0,200}?${from}`,
    "gm",
  );

const PATTERNS: readonly CommandPattern[] = [
  {
    code: "security/encoded-command",
    patterns: [
      piped(DECODES),
      substituted(DECODES),
      /\b(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?[^\n]{0,80}?(?:b64decode|b32decode|fromhex|unhexlify|decompress|codecs\.decode|marshal\.loads)\b/g,
      /\b(?:os\.(?:system|popen)|subprocess\.\w+|system)\s*\(\s*[^\n,=]{0,60}?(?:b64decode|b32decode|fromhex|unhexlify|decompress|codecs\.decode)\b/g,
      /\beval\s*\(?\s*(?:decode_base64|Base64\.(?:strict_)?decode64|base64_decode|gzinflate|gzuncompress|str_rot13)\b/g,
      /\b(?:eval|Function|exec(?:Sync)?|spawn(?:Sync)?|runIn\w+Context)\s*\(\s*[^\n]{0,60}?(?:atob\s*\(|Buffer\.from\s*\([^\n]{0,400}?["'](?:base64|hex)["'])/g,
      /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,100}?\s-e(?:nc?|ncodedcommand)?\s+[A-Za-z0-9+/=]{16,}/gi,
      /FromBase64String[^\n]{0,200}(?:\biex\b|Invoke-Expression)|(?:\biex\b|Invoke-Expression)[^\n]{0,200}FromBase64String/gi,
    ],
    message: "text is decoded and then run, so nobody can read what runs",
  },
  {
    code: "security/remote-command",
    patterns: [
      piped(DOWNLOADS),
      substituted(DOWNLOADS),
      /(?<![.\w])(?:exec|eval)\s*\(\s*(?:compile\s*\(\s*)?(?:await\b[\s(]{0,4})*[^\n]{0,60}?(?:\burlopen|\b(?:requests|httpx)\.get|\bfetch)\s*\(/g,
      /\bfetch\s*\([^\n]{0,200}?\.then\s*\(\s*(?:eval\b|\(?\w+\)?\s*=>\s*eval\b)/g,
      /\b(?:pip3?\s+install|npx|uvx|npm\s+(?:install|i|exec))\s[^\n|;&]{0,80}?https?:\/\/(?:\d{1,3}\.){3}\d/g,
      /\b(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b[^\n|]{0,200}\|\s*(?:iex|Invoke-Expression)\b/gi,
    ],
    message: "a program is downloaded and run unread",
  },
  {
    code: "security/reverse-shell",
    patterns: [
      /\b(?:ba|z|da)?sh\s+-i\s*(?:[<>&]|\d>)/g,
      /\bexec\s+\d+<>\s*\/dev\/(?:tcp|udp)\/(?!localhost|127\.)/g,
      /\b(?:ba|z|da)?sh\s*<\s*\/dev\/(?:tcp|udp)\/(?!localhost|127\.)/g,
      /\b(?:nc|ncat|netcat)(?:\.\w+)?\s(?:[^\n]{0,80}?\s)?(?:-\w{0,6}[ec]|--(?:sh-)?exec)[\s=]\s*\S{0,20}sh\b/g,
      /\b(?:openssl\s+s_client|telnet)\b[^\n|]{0,120}\|\s*(?:\/\S{0,40}\/)?(?:ba|z|da)?sh\b/g,
      /\bmkfifo\b[^\n]{0,200}\|\s*(?:nc|ncat|netcat)\b/g,
      /\bsocat\b[^\n]{0,120}\bexec:["']?(?:\/\S{0,20}\/)?(?:ba|z|k|da)?sh\b/gi,
      /\bsocket\.(?:socket|create_connection)\b[\s\S]{0,400}?\.dup2\b/g,
      /\b(?:fsockopen|socket)\s*\([\s\S]{0,300}?\b(?:exec|system|shell_exec|proc_open|passthru)\s*\(?\s*["'][^\n]{0,20}sh\b/g,
      /\bspawn\w*\(\s*["'](?:\/\S{0,20}\/)?(?:ba|z|da)?sh["'][\s\S]{0,400}?\.pipe\(\s*\w+\.stdin\b/g,
    ],
    message: "a shell is connected to another machine",
  },
  {
    code: "security/credential-theft",
    patterns: [
      /\b(?:env|printenv|export -p)\s*\|[^\n]{0,200}\b(?:curl|wget|nc|ncat)\b/g,
      /\bcurl\b[^\n]{0,200}\$\(\s*(?:env|printenv)\b/g,
      /\.post\([^\n]{0,200}(?:dict\(\s*)?os\.environ(?:\.copy\(\))?\s*[),]/g,
    ],
    message: "the whole environment, with its keys, is sent away",
  },
  {
    code: "security/persistence",
    patterns: [
      />>?\s*["']?[^\s"']{0,60}\.(?:bashrc|zshrc|profile|bash_profile|zprofile)\b/g,
      />>?\s*["']?[^\s"']{0,60}(?:authorized_keys|\.git\/hooks\/\w|\.claude\/settings)/g,
      /\bcrontab\s+(?:-(?=\s|$)|[^-\s])/gm,
      /(?:LaunchAgents|systemd\/user|autostart)\/[\w.-]+\.(?:plist|service|desktop)\b/g,
    ],
    message: "something is set up to run later by itself",
  },
];

/** Installers that so many people use that they are no sign of bad faith. */
const INSTALLERS =
  /https:\/\/(?:astral\.sh|sh\.rustup\.rs|bun\.(?:sh|com)|deno\.land|get\.docker\.com|install\.python-poetry\.org|get\.pnpm\.io|(?:deb|rpm)\.nodesource\.com|mise\.run|claude\.ai\/install|ollama\.com|fly\.io|get\.sdkman\.io|sdk\.cloud\.google\.com|run\.linkerd\.io|fluxcd\.io|starship\.rs|fnm\.vercel\.app|example\.(?:com|org)|get\.helm\.sh|raw\.githubusercontent\.com\/(?:Homebrew|nvm-sh|helm|rhysd|anchore|aquasecurity|golangci)\/)/;

function isWellKnown(command: string): boolean {
  return INSTALLERS.test(command);
}

const NETWORK =
  /\b(?:curl|wget|ncat|socat)\s+[^\n]|\bnc\s+-?\w|\brequests\.(?:get|post|put|patch|delete|request|Session)\b|\burllib\.request\b|\burlopen\s*\(|\bhttp\.client\b|\bhttpx\.|\baiohttp\b|\bsocket\.(?:socket|create_connection)\b|\bfetch\s*\(\s*["'`\w]|\baxios\b|\bhttps?\.(?:get|request)\s*\(|\bnet\.(?:connect|createConnection)\b|\bInvoke-(?:WebRequest|RestMethod)\b/;

/** Once for a script: where it first connects, and every host it names. */
function networkHits(text: string): ScanHit[] {
  const first = NETWORK.exec(text);
  if (first === null) return [];
  const hosts = [...text.matchAll(/\b(?:https?|wss?):\/\/([\w.-]+)/g)].map(([, host = ""]) => host);
  const named = [...new Set(hosts)];
  if (named.length > 0 && named.every((host) => /^(?:localhost|127\.|0\.0\.0\.0|example\.)/.test(host)))
    return [];
  const shown = named.slice(0, 3).join(", ") + (named.length > 3 ? ", ..." : "");
  const message =
    named.length === 0 ? "this script connects to other machines" : `this script connects to ${shown}`;
  return [{ code: "security/network-call", offset: first.index, message }];
}

/** Whether the text sends something to another machine, where it is sent from. */
export const SENDS =
  /\bcurl\b[^\n]{0,300}?\s(?:-d|--data\S*|-F|--form|-T|--upload-file|-X\s*(?:POST|PUT)|--json)\b|\bwget\b[^\n]{0,200}--post|\b(?:nc|ncat|netcat|socat)\s+[^\n]{0,80}[\w.-]+\s+\d{2,5}|\b(?:requests|httpx|session|client)\.(?:post|put)\s*\(|\burlopen\s*\([^\n]{0,120}data|\bmethod:\s*["'](?:POST|PUT)["']|\baxios\.(?:post|put)\b|\b(?:scp|rsync)\s[^\n]{0,120}\S+:|\/dev\/tcp\/|\bsendall?\s*\(|\b(?:dig|nslookup|host)\s+[^\n]{0,80}\$/;
