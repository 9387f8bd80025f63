// Draws docs/demo.svg, the picture of README.md: what `assay demo csv-report` really prints, line by line, as a recording.
// Usage: node scripts/recording.js [file]   (after npm run build)
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const COLUMNS = 100;
const COMMAND = ["demo", "csv-report"];
/** A picture of one screen: from the first example on. */
const ROWS = 26;
const LINE_HEIGHT = 19;
const CHARACTER = 8.4;
const COLORS = { 31: "#f87171", 32: "#4ade80", 33: "#facc15", 36: "#67e8f9", 90: "#94a3b8", 2: "#94a3b8" };

const lines = [{ text: "$ npx assay demo csv-report", atMs: 0 }, ...(await recorded())];
writeFileSync(resolve(process.argv[2] ?? join(ROOT, "docs/demo.svg")), drawn(lines));

/** Every line with the moment at which it was printed, long ones folded at words. */
async function recorded() {
  const home = mkdtempSync(join(tmpdir(), "recording-"));
  const { PATH } = process.env;
  const child = spawn(process.execPath, [join(ROOT, "bin/assay.js"), ...COMMAND], {
    cwd: home,
    env: { PATH, HOME: home, TMPDIR: tmpdir(), FORCE_COLOR: "1", COLUMNS: String(COLUMNS) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const began = performance.now();
  const found = [];
  let open = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    const whole = (open + chunk).split("\n");
    open = whole.pop() ?? "";
    for (const text of whole) found.push({ text, atMs: performance.now() - began });
  }
  rmSync(home, { recursive: true, force: true });
  if (child.exitCode !== 0 && child.exitCode !== null)
    throw new Error(`the demo ended with ${child.exitCode}`);
  const first = found.findIndex(({ text }) => text.startsWith("==="));
  const shown = found
    .slice(first)
    .flatMap(({ text, atMs }) => folded(withoutPlaces(text)).map((part) => ({ text: part, atMs })));
  return shown.length > ROWS ? [...shown.slice(0, ROWS), { text: "…", atMs: shown[ROWS].atMs }] : shown;
}

function withoutPlaces(text) {
  return text.replaceAll(/\S*assay-demo-\w+/g, ".assay");
}

function folded(text) {
  const indent = /^ */.exec(text)?.[0] ?? "";
  const rows = [];
  let row = "";
  for (const word of text.split(/(?<= )/)) {
    if (plain(row + word).trimEnd().length > COLUMNS && row.trim() !== "") {
      rows.push(row.trimEnd());
      row = `${indent}  ${word}`;
    } else row += word;
  }
  return [...rows, row.trimEnd()];
}

function plain(text) {
  // oxlint-disable-next-line no-control-regex -- what terminals are told
  return text.replaceAll(/\u001b\[[\d;]*m/g, "");
}

function drawn(all) {
  const width = Math.ceil(COLUMNS * CHARACTER) + 40;
  const height = all.length * LINE_HEIGHT + 64;
  const rows = all.map(({ text, atMs }, at) => {
    const seconds = (Math.min(atMs, 20_000) / 1000 + at * 0.04).toFixed(2);
    return `<text x="20" y="${56 + at * LINE_HEIGHT}" style="animation-delay:${seconds}s">${spans(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="assay demo csv-report in a terminal">
<style>
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e2e8f0; white-space: pre; animation: appear 0.01s both; }
  @keyframes appear { from { opacity: 0; } to { opacity: 1; } }
  @media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#0f172a" />
<circle cx="22" cy="20" r="6" fill="#f87171" /><circle cx="42" cy="20" r="6" fill="#facc15" /><circle cx="62" cy="20" r="6" fill="#4ade80" />
${rows.join("\n")}
</svg>
`;
}

/** What a terminal would color, colored. */
function spans(text) {
  let style = "";
  // oxlint-disable-next-line no-control-regex -- what terminals are told
  const parts = text.split(/\u001b\[([\d;]*)m/);
  return parts
    .map((part, at) => {
      if (at % 2 === 1) {
        const codes = part.split(";");
        const color = codes.map((code) => COLORS[code]).find((one) => one !== undefined);
        style =
          part === "" || part === "0" || part === "39" || part === "22"
            ? ""
            : color === undefined
              ? ' font-weight="bold"'
              : ` fill="${color}"`;
        return "";
      }
      const shown = part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      return style === "" || shown === "" ? shown : `<tspan${style}>${shown}</tspan>`;
    })
    .join("");
}
