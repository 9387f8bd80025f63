import type { Card } from "../../domain/card.ts";
import { xmlText } from "../../lib/xml-text.ts";
import { cardLines, evidenceLines } from "./words.ts";

export interface CardState {
  /** False: the skill is no longer the version that was measured. */
  readonly fresh: boolean;
  /** Of the key that signed it; null: none did. */
  readonly fingerprint: string | null;
}

/** The card as a picture, from the card alone: the same card and state give the same bytes. */
export function cardSvg(card: Card, { fresh, fingerprint }: CardState): string {
  const color = fresh ? COLORS[standing(card)] : COLORS.grey;
  const said = [
    ...(fresh ? [] : ["OUTDATED: measured on another version of this skill"]),
    ...card.evidence.flatMap(evidenceLines),
  ];
  const small = cardLines(card, fingerprint);
  const height = 52 + said.length * 20 + small.length * 16 + 8;
  const ink = fresh ? "#1f2328" : "#6e7781";
  const title = `${card.skill.name}: evidence card`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="t d" font-family="system-ui,sans-serif">`,
    `<title id="t">${xmlText(title)}</title>`,
    `<desc id="d">${xmlText([...said, ...small].join(". "))}</desc>`,
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6" fill="#ffffff" stroke="#d0d7de"/>`,
    `<rect x="0.5" y="0.5" width="8" height="${height - 1}" rx="4" fill="${color}"/>`,
    `<text x="24" y="30" font-size="17" font-weight="600" fill="${ink}">${xmlText(title)}</text>`,
    ...said.map((line, at) => textLine(line, { y: 56 + at * 20, size: 13, ink })),
    ...small.map((line, at) =>
      textLine(line, { y: 60 + said.length * 20 + at * 16, size: 11, ink: "#6e7781" }),
    ),
    "</svg>\n",
  ].join("\n");
}

const WIDTH = 640;

const COLORS = { green: "#2da44e", yellow: "#d4a72c", red: "#cf222e", grey: "#afb8c1" } as const;

/** The worst answer decides: one agent on which the skill hurts is not made good by another. */
function standing({ evidence }: Card): keyof typeof COLORS {
  const verdicts = evidence.flatMap(({ benchmark }) => benchmark?.verdict ?? []);
  if (verdicts.includes("worse")) return "red";
  if (verdicts.length === 0 || verdicts.includes("invalid") || verdicts.includes("underpowered"))
    return "grey";
  return verdicts.every((verdict) => verdict === "better") ? "green" : "yellow";
}

function textLine(line: string, { y, size, ink }: { y: number; size: number; ink: string }): string {
  // About what fits; a browser without the font would draw it over the border.
  const most = Math.floor((WIDTH - 48) / (size * 0.5));
  const letters = Array.from(line);
  const shown = letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : line;
  return `<text x="24" y="${y}" font-size="${size}" fill="${ink}">${xmlText(shown)}</text>`;
}
