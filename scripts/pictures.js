// Draws the pictures of docs/statistics.md from numbers: the example below, and the tables of docs/design/verdicts.md.
// Usage: node scripts/pictures.js [folder]   (default: docs/images)
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The example of the page: three cases, three runs in each arm, the share of three checks that each run passed. */
const EXAMPLE = [
  { with: [1, 1, 1], without: [1 / 3, 1 / 3, 1 / 3] },
  { with: [1, 1, 1], without: [0, 1 / 3, 2 / 3] },
  { with: [1, 1, 2 / 3], without: [2 / 3, 1 / 3, 0] },
];

const WITH = "#0f766e";
const WITHOUT = "#b45309";
const INK = "#1f2937";
const QUIET = "#6b7280";
const LINE = "#d1d5db";

const folder = resolve(process.argv[2] ?? join(ROOT, "docs/images"));
mkdirSync(folder, { recursive: true });
const pictures = {
  "two-questions.svg": twoQuestions(),
  "dealt-anew.svg": dealtAnew(),
  "how-many-cases.svg": howManyCases(),
};
for (const [name, picture] of Object.entries(pictures)) writeFileSync(join(folder, name), picture);

/** Left the runs that were made; right the cases they stand for, and those that nobody wrote down. */
function twoQuestions() {
  const parts = [
    text(32, 40, "On these cases", { size: 19, weight: 600 }),
    text(32, 62, "Would they come out like this again?", { color: QUIET }),
    text(392, 40, "On other cases like these", { size: 19, weight: 600 }),
    text(392, 62, "Would work that is not in the file?", { color: QUIET }),
    `<line x1="360" y1="28" x2="360" y2="316" stroke="${LINE}" />`,
  ];
  for (const [at, one] of EXAMPLE.entries()) {
    const y = 96 + 66 * at;
    parts.push(
      text(32, y + 27, `case ${at + 1}`, { color: INK }),
      ...runDots(one.with, { y: y + 10, color: WITH }),
      ...runDots(one.without, { y: y + 34, color: WITHOUT }),
    );
  }
  parts.push(
    `<line x1="108" y1="290" x2="316" y2="290" stroke="${LINE}" />`,
    text(108, 308, "no check passes", { size: 12, color: QUIET }),
    text(316, 308, "all pass", { size: 12, color: QUIET, anchor: "end" }),
    ...legend(32, 336, [
      [WITH, "a run with the skill"],
      [WITHOUT, "a run without it"],
    ]),
  );
  for (let at = 0; at < 70; at++) {
    const x = 404 + (at % 10) * 30 + (Math.floor(at / 10) % 2) * 8;
    const y = 96 + Math.floor(at / 10) * 30;
    const mine = { 22: 1, 37: 2, 45: 3 }[at];
    if (mine === undefined)
      parts.push(
        `<circle cx="${x}" cy="${y}" r="9" fill="none" stroke="${LINE}" stroke-width="1.5" stroke-dasharray="3 3" />`,
      );
    else
      parts.push(
        `<circle cx="${x}" cy="${y}" r="11" fill="${WITH}" />`,
        text(x, y + 4.5, String(mine), { size: 13, weight: 600, color: "#ffffff", anchor: "middle" }),
      );
  }
  parts.push(
    text(392, 318, "Three were tried, and all three improved.", { color: INK }),
    text(392, 338, "Of the others that says little: it takes six.", { color: QUIET }),
  );
  return svg(720, 360, "Runs of the cases you have, and cases you do not have", parts);
}

function runDots(scores, { y, color }) {
  const seen = new Map();
  return scores.map((score) => {
    const nth = seen.get(score) ?? 0;
    seen.set(score, nth + 1);
    const x = 120 + 184 * score - 17 * nth * (score > 0.5 ? 1 : -1);
    return `<circle cx="${fixed(x)}" cy="${y}" r="7" fill="${color}" fill-opacity="0.85" />`;
  });
}

/** Every way to deal the labels with and without anew within each case, and the lift that it gives. */
function dealtAnew() {
  const lifts = everyDeal();
  const seen = meanOf(EXAMPLE.map((one) => meanOf(one.with) - meanOf(one.without)));
  const far = lifts.filter((lift) => Math.abs(lift) >= Math.abs(seen) - 1e-9).length;
  const bins = new Map();
  for (const lift of lifts) {
    const bin = Math.round(lift * 27);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  const most = Math.max(...bins.values());
  const [left, right, base, top] = [56, 688, 268, 92];
  const xOf = (lift) => left + ((lift + 0.8) / 1.6) * (right - left);
  const parts = [
    text(32, 40, "If the skill changed nothing, the labels would be arbitrary", { size: 19, weight: 600 }),
    text(
      32,
      62,
      `All ${thousands(lifts.length)} ways to deal them anew within the three cases, and the lift each would have given`,
      {
        color: QUIET,
      },
    ),
  ];
  for (const [bin, count] of [...bins].sort(([a], [b]) => a - b)) {
    const height = Math.max(1.5, (count / most) * (base - top));
    const isFar = Math.abs(bin / 27) >= Math.abs(seen) - 1e-9;
    parts.push(
      `<rect x="${fixed(xOf(bin / 27) - 11)}" y="${fixed(base - height)}" width="22" height="${fixed(height)}" fill="${isFar ? WITH : "#9ca3af"}" />`,
    );
  }
  parts.push(`<line x1="${left}" y1="${base}" x2="${right}" y2="${base}" stroke="${INK}" />`);
  for (const tick of [-0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6])
    parts.push(
      text(xOf(tick), base + 20, `${tick > 0 ? "+" : ""}${Math.round(tick * 100)}`, {
        size: 13,
        color: QUIET,
        anchor: "middle",
      }),
    );
  const x = xOf(seen);
  parts.push(
    text((left + right) / 2, base + 42, "lift in points", { size: 13, color: QUIET, anchor: "middle" }),
    `<line x1="${fixed(x)}" y1="150" x2="${fixed(x)}" y2="${base - 8}" stroke="${WITH}" stroke-width="2" />`,
    `<path d="M ${fixed(x - 5)} ${base - 14} L ${fixed(x + 5)} ${base - 14} L ${fixed(x)} ${base - 5} Z" fill="${WITH}" />`,
    text(x, 124, `seen: ${signedPoints(seen)} points`, { weight: 600, color: WITH, anchor: "middle" }),
    text(x, 142, `${far} of ${thousands(lifts.length)} are as far out`, {
      size: 13,
      color: WITH,
      anchor: "middle",
    }),
  );
  return svg(720, 330, "The lifts that dealing the labels anew would give, and the one that was seen", parts);
}

/** Every choice of which runs of a case were made with the skill, over all cases together. */
function everyDeal() {
  let totals = [0];
  for (const one of EXAMPLE) {
    const runs = [...one.with, ...one.without];
    const all = runs.reduce((sum, run) => sum + run, 0);
    const differences = choices(runs, one.with.length).map(
      (chosen) => chosen / one.with.length - (all - chosen) / one.without.length,
    );
    totals = totals.flatMap((total) => differences.map((difference) => total + difference));
  }
  return totals.map((total) => total / EXAMPLE.length);
}

/** The sums of every choice of so many. */
function choices(runs, count) {
  if (count === 0) return [0];
  if (runs.length < count) return [];
  const [first = 0, ...rest] = runs;
  return [...choices(rest, count - 1).map((sum) => sum + first), ...choices(rest, count)];
}

/** How often each answer decides, by number of cases, as the simulations have it. */
function howManyCases() {
  const rows = powerRows();
  const cases = [...new Set(rows.map((row) => row.cases))];
  const [left, right, base, top] = [64, 560, 262, 86];
  const xOf = (count) => left + (cases.indexOf(count) / (cases.length - 1)) * (right - left);
  const yOf = (share) => base - (share / 100) * (base - top);
  const parts = [
    text(32, 40, "How often a benchmark of three runs per arm decides", { size: 19, weight: 600 }),
    text(
      32,
      62,
      "Simulated skills that really help; solid: on these cases, dashed: on other cases like these",
      {
        color: QUIET,
      },
    ),
  ];
  for (const share of [0, 25, 50, 75, 100])
    parts.push(
      `<line x1="${left}" y1="${fixed(yOf(share))}" x2="${right}" y2="${fixed(yOf(share))}" stroke="${LINE}" stroke-width="${share === 0 ? 1.5 : 0.75}" />`,
      text(left - 10, yOf(share) + 4.5, `${share} %`, { size: 13, color: QUIET, anchor: "end" }),
    );
  for (const count of cases)
    parts.push(text(xOf(count), base + 20, String(count), { size: 13, color: QUIET, anchor: "middle" }));
  parts.push(text((left + right) / 2, base + 42, "cases", { size: 13, color: QUIET, anchor: "middle" }));
  for (const [lift, color] of [
    [0.6, WITH],
    [0.3, WITHOUT],
  ]) {
    const mine = rows.filter((row) => row.lift === lift);
    for (const answer of ["these", "other"]) {
      const points = mine.map((row) => `${fixed(xOf(row.cases))},${fixed(yOf(row[answer]))}`);
      const dash = answer === "other" ? ' stroke-dasharray="6 5"' : "";
      parts.push(
        `<polyline points="${points.join(" ")}" fill="none" stroke="${color}" stroke-width="2.5" stroke-linejoin="round"${dash} />`,
        ...mine.map(
          (row) =>
            `<circle cx="${fixed(xOf(row.cases))}" cy="${fixed(yOf(row[answer]))}" r="3.5" fill="${answer === "other" ? "#ffffff" : color}" stroke="${color}" stroke-width="1.5" />`,
        ),
      );
    }
  }
  parts.push(
    ...legend(584, 110, [[WITH, "lift of 60 points"]]),
    ...legend(584, 134, [[WITHOUT, "lift of 30 points"]]),
  );
  return svg(720, 324, "The share of benchmarks that decide, by number of cases, for both answers", parts);
}

/** Of the table of power and coverage: lift, cases, and how often each answer decides. */
function powerRows() {
  const page = readFileSync(join(ROOT, "docs/design/verdicts.md"), "utf8");
  const table = page.slice(page.indexOf("## Power and coverage"));
  return [...table.matchAll(/^\| (0[.\d]*) \| (\d+) \| (\d+) \/ (\d+) \|/gm)].map(
    ([, lift, cases, these, other]) => ({
      lift: Number(lift),
      cases: Number(cases),
      these: Number(these),
      other: Number(other),
    }),
  );
}

function legend(x, y, entries) {
  let at = x;
  return entries.flatMap(([color, words]) => {
    const parts = [
      `<circle cx="${at + 6}" cy="${y - 4}" r="6" fill="${color}" />`,
      text(at + 20, y, words, { size: 13, color: INK }),
    ];
    at += 40 + words.length * 7;
    return parts;
  });
}

function text(x, y, words, { size = 14, weight = 400, color = INK, anchor = "start" } = {}) {
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${fixed(x)}" y="${fixed(y)}" font-size="${size}" font-weight="${weight}" fill="${color}" text-anchor="${anchor}">${escaped}</text>`;
}

function svg(width, height, title, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="#ffffff" />`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function signedPoints(share) {
  return `${share < 0 ? "-" : "+"}${Math.round(Math.abs(share) * 100)}`;
}

function thousands(count) {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** As few digits as the eye needs, so that machines agree on them. */
function fixed(value) {
  return String(Math.round(value * 10) / 10);
}
